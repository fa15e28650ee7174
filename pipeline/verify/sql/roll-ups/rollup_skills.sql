-- rollup_skills is what rollup_months adds up to, and so adverts: by occupation, of all occupations
-- of a sector (soc_code -1) and of a place (sector_code -1 too), in the shortest window that holds
-- the adverts (snapshots/FORMAT.md, rollup_skills).
WITH stored AS (SELECT added_up([place_code, soc_code, sector_code, source_code, window_months, skill_code, level], adverts) AS all_cells FROM rollup_skills),
windowed AS (
  SELECT *, CASE WHEN months_back < 3 THEN 3 WHEN months_back < 6 THEN 6 WHEN months_back < 12 THEN 12 ELSE 24 END AS window_months
  FROM rollup_months),
counted AS (
  SELECT added_up([place_code, soc_code, sector_code, source_code, window_months, skill_code, level], adverts)
       + added_up([place_code, -1, sector_code, source_code, window_months, skill_code, level], adverts)
       + added_up([place_code, -1, -1, source_code, window_months, skill_code, level], adverts) AS all_cells
  FROM windowed)
SELECT -1, 'is not what adverts adds up to'
FROM stored, counted
WHERE stored.all_cells IS DISTINCT FROM counted.all_cells
