-- Skills not met, denominators added up from the cells, for the combinations that
-- no roll-up holds. Groups under the floor of R7 are left out.
SELECT CASE $by::VARCHAR WHEN 'place' THEN place WHEN 'sector' THEN sector WHEN 'soc' THEN soc WHEN 'month' THEN back ELSE 0 END::INTEGER AS bucket,
       sum(adverts)::BIGINT AS adverts, bit_or(1::UBIGINT << source) AS sources
FROM totals_by_soc
WHERE place BETWEEN $place_from::USMALLINT AND $place_to::USMALLINT
  AND soc BETWEEN $soc_from::USMALLINT AND $soc_to::USMALLINT
  AND sector BETWEEN $sector_from::UTINYINT AND $sector_to::UTINYINT
  AND source BETWEEN $source_from::UTINYINT AND $source_to::UTINYINT
  AND back < $months::UTINYINT
GROUP BY bucket
HAVING above_floor(sum(adverts), sum(employers), min(employer_low), max(employer_high), sum(employer_sum), sum(employer_squares));
