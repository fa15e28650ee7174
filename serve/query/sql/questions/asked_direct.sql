-- Skills not met, numerators per skill added up from the cells.
SELECT skill, adverts, usual_level(level_1, level_2, level_3, level_4, level_5) AS usual
FROM (
  SELECT skill,
         sum(adverts)::BIGINT AS adverts,
         sum(adverts) FILTER (level = 1) AS level_1, sum(adverts) FILTER (level = 2) AS level_2,
         sum(adverts) FILTER (level = 3) AS level_3, sum(adverts) FILTER (level = 4) AS level_4,
         sum(adverts) FILTER (level = 5) AS level_5
  FROM cells_by_soc
  WHERE place = $place_from::USMALLINT
    AND soc BETWEEN $soc_from::USMALLINT AND $soc_to::USMALLINT
    AND sector BETWEEN $sector_from::UTINYINT AND $sector_to::UTINYINT
    AND source BETWEEN $source_from::UTINYINT AND $source_to::UTINYINT
    AND level BETWEEN $level_from::UTINYINT AND $level_to::UTINYINT
    AND back < $months::UTINYINT
  GROUP BY skill
);
