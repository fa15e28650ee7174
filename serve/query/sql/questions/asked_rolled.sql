-- Skills not met, numerators per skill from a roll-up. The level filter narrows
-- which skill requirements count, and then every counted one states that level.
SELECT skill, adverts,
       CASE $level::UTINYINT WHEN 0 THEN usual_level(level_1, level_2, level_3, level_4, level_5) ELSE $level::UTINYINT END AS usual
FROM (
  SELECT skill,
         sum(CASE $level::UTINYINT WHEN 0 THEN adverts WHEN 1 THEN level_1 WHEN 2 THEN level_2
                                   WHEN 3 THEN level_3 WHEN 4 THEN level_4 ELSE level_5 END)::BIGINT AS adverts,
         sum(level_1) AS level_1, sum(level_2) AS level_2, sum(level_3) AS level_3, sum(level_4) AS level_4, sum(level_5) AS level_5
  FROM skills_rolled
  WHERE place = $place_from::USMALLINT
    AND soc = $rolled_soc_from::USMALLINT
    AND sector = $rolled_sector_from::UTINYINT
    AND source = $rolled_source::UTINYINT
    AND months <= $months::UTINYINT
  GROUP BY skill
);
