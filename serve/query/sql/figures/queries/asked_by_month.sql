-- Counts the adverts that ask for each skill, by month.
SELECT skill::INTEGER, months_back::INTEGER, sum(adverts)::INTEGER
FROM cells
WHERE place BETWEEN $place_from::SMALLINT AND $place_to::SMALLINT
  AND skill BETWEEN $skill_from::SMALLINT AND $skill_to::SMALLINT
  AND level BETWEEN $level_from::TINYINT AND $level_to::TINYINT
  AND source BETWEEN $cell_source_from::SMALLINT AND $cell_source_to::SMALLINT
  AND sector BETWEEN $cell_sector_from::SMALLINT AND $cell_sector_to::SMALLINT
  AND soc BETWEEN $cell_soc_from::INTEGER AND $cell_soc_to::INTEGER
GROUP BY skill, months_back;
