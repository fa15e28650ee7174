-- Skills not met, denominators per month without an occupation. The bucket is the
-- number of months back from the month of as_of.
SELECT back::INTEGER AS bucket, adverts, sources
FROM totals_by_month
WHERE place = $place_from::USMALLINT
  AND sector = $rolled_sector_from::UTINYINT
  AND source = $rolled_source::UTINYINT
  AND back < $months::UTINYINT;
