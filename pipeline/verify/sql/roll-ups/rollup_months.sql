-- rollup_months is what adverts of the last 24 months adds up to (snapshots/FORMAT.md, rollup_months).
WITH stored AS (SELECT added_up([skill_code, place_code, soc_code, sector_code, source_code, months_back, level], adverts) AS all_cells FROM rollup_months),
counted AS (
  SELECT added_up([skill.code, place.code, soc_number(a.soc), sector.code, source.code, months_back(a.month), a.level], a.adverts) AS all_cells
  FROM adverts a
  JOIN rollup_codes skill ON skill.dimension = 'skill' AND skill.value = a.skill
  JOIN rollup_codes place ON place.dimension = 'place' AND place.value = a.place
  JOIN rollup_codes sector ON sector.dimension = 'sector' AND sector.value = a.sector
  JOIN rollup_codes source ON source.dimension = 'source' AND source.value = a.source
  WHERE months_back(a.month) BETWEEN 0 AND 23)
SELECT -1, 'is not what adverts adds up to'
FROM stored, counted
WHERE stored.all_cells IS DISTINCT FROM counted.all_cells
