-- Skills not met, numerators per skill from a roll-up. The level filter narrows
-- which skill requirements count, and then every counted one states that level.
SELECT skill,
       CASE $level::UTINYINT WHEN 0 THEN adverts WHEN 1 THEN level_1 WHEN 2 THEN level_2
                             WHEN 3 THEN level_3 WHEN 4 THEN level_4 ELSE level_5 END AS adverts,
       CASE $level::UTINYINT WHEN 0 THEN usual ELSE $level::UTINYINT END AS usual
FROM skills_rolled
WHERE place = $place_from::USMALLINT
  AND soc = $rolled_soc_from::USMALLINT
  AND sector = $rolled_sector_from::UTINYINT
  AND source = $rolled_source::UTINYINT
  AND months = $months::UTINYINT;
