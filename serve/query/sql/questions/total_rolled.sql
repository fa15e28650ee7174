-- Skills not met, denominators: counted adverts that match the filters, per
-- bucket of a breakdown (0 without one), where a roll-up holds them. Groups under
-- the floor of R7 are not in the roll-up.
SELECT CASE $by::VARCHAR WHEN 'place' THEN place WHEN 'sector' THEN sector WHEN 'soc' THEN soc ELSE 0 END::INTEGER AS bucket,
       adverts, sources
FROM totals_rolled
WHERE months = $months::UTINYINT
  AND soc BETWEEN $rolled_soc_from::USMALLINT AND $rolled_soc_to::USMALLINT
  AND sector BETWEEN $rolled_sector_from::UTINYINT AND $rolled_sector_to::UTINYINT
  AND source = $rolled_source::UTINYINT
  AND place BETWEEN $place_from::USMALLINT AND $place_to::USMALLINT;
