-- rollup_skills is what rollup_months adds up to, and so adverts: by occupation, of all occupations
-- of a sector (soc_code -1) and of a place (sector_code -1 too), in the shortest window that holds
-- the adverts (snapshots/FORMAT.md, rollup_skills).
WITH windowed AS (
  SELECT *, CASE WHEN months_back < 3 THEN 3 WHEN months_back < 6 THEN 6 WHEN months_back < 12 THEN 12 ELSE 24 END AS window_months
  FROM rollup_months),
counted AS (
  SELECT place_code, if(grouping(soc_code) = 1, -1, soc_code) AS soc_code, if(grouping(sector_code) = 1, -1, sector_code) AS sector_code,
         source_code, window_months, skill_code, level, sum(adverts) AS adverts
  FROM windowed
  GROUP BY place_code, source_code, window_months, skill_code, level, ROLLUP (sector_code, soc_code))
SELECT -1, 'is not what adverts adds up to'
WHERE (SELECT count(*) FROM counted) <> (SELECT count(*) FROM rollup_skills)
   OR EXISTS (SELECT place_code, soc_code, sector_code, source_code, window_months, skill_code, level, adverts FROM rollup_skills EXCEPT FROM counted)
