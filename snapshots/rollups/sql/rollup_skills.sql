-- The adverts that ask for each skill, for ranking skills: by occupation and sector; with
-- occupation -1 all occupations of a sector; with sector -1 too everything of a place.
-- window_months is the shortest window that holds the adverts.
WITH by_occupation AS (
  SELECT place_code, soc_code, sector_code, source_code,
         CASE WHEN months_back < 3 THEN 3 WHEN months_back < 6 THEN 6 WHEN months_back < 12 THEN 12 ELSE 24 END::TINYINT AS window_months,
         skill_code, level, sum(adverts)::INTEGER AS adverts
  FROM rollup_months GROUP BY ALL),
by_sector AS (
  SELECT place_code, -1::INTEGER AS soc_code, sector_code, source_code, window_months, skill_code, level, sum(adverts)::INTEGER AS adverts
  FROM by_occupation GROUP BY ALL),
by_place AS (
  SELECT place_code, soc_code, -1::SMALLINT AS sector_code, source_code, window_months, skill_code, level, sum(adverts)::INTEGER AS adverts
  FROM by_sector GROUP BY ALL)
FROM by_occupation UNION ALL FROM by_sector UNION ALL FROM by_place
ORDER BY ALL
