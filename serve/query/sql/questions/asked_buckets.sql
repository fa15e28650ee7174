-- Skills not met, numerators of one skill per bucket of the breakdown.
SELECT bucket, adverts, usual_level(level_1, level_2, level_3, level_4, level_5) AS usual
FROM (
  SELECT CASE $by::VARCHAR WHEN 'place' THEN place WHEN 'sector' THEN sector WHEN 'soc' THEN soc
                           WHEN 'level' THEN level ELSE back END::INTEGER AS bucket,
         sum(adverts)::BIGINT AS adverts,
         sum(adverts) FILTER (level = 1) AS level_1, sum(adverts) FILTER (level = 2) AS level_2,
         sum(adverts) FILTER (level = 3) AS level_3, sum(adverts) FILTER (level = 4) AS level_4,
         sum(adverts) FILTER (level = 5) AS level_5
  FROM cells_by_skill
  WHERE skill = $skill_code::UINTEGER
    AND place BETWEEN $place_from::USMALLINT AND $place_to::USMALLINT
    AND soc BETWEEN $soc_from::USMALLINT AND $soc_to::USMALLINT
    AND sector BETWEEN $sector_from::UTINYINT AND $sector_to::UTINYINT
    AND source BETWEEN $source_from::UTINYINT AND $source_to::UTINYINT
    AND level BETWEEN $level_from::UTINYINT AND $level_to::UTINYINT
    AND back < $months::UTINYINT
  GROUP BY bucket
);
