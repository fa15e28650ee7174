-- Counts the adverts that ask for skills at some levels, by skill, place, sector, occupation, level
-- or month.
SELECT bucket::INTEGER, sum(adverts)::INTEGER
FROM (
  SELECT CASE $bucket::VARCHAR WHEN 'place' THEN place WHEN 'sector' THEN sector WHEN 'soc' THEN soc
         WHEN 'level' THEN level
              WHEN 'month' THEN months_back ELSE skill END AS bucket, adverts
  FROM cells
  WHERE place BETWEEN $place_from::SMALLINT AND $place_to::SMALLINT
    AND skill BETWEEN $skill_from::SMALLINT AND $skill_to::SMALLINT
    AND level BETWEEN $level_from::TINYINT AND $level_to::TINYINT
    AND source BETWEEN $cell_source_from::SMALLINT AND $cell_source_to::SMALLINT
    AND sector BETWEEN $cell_sector_from::SMALLINT AND $cell_sector_to::SMALLINT
    AND soc BETWEEN $cell_soc_from::INTEGER AND $cell_soc_to::INTEGER AND months_back < $months::TINYINT)
GROUP BY bucket;
