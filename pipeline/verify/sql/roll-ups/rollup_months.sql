-- rollup_months is what adverts of the last 24 months adds up to (snapshots/FORMAT.md, rollup_months).
WITH counted AS (
  SELECT skill.code AS skill_code, place.code AS place_code, soc_number(a.soc) AS soc_code, sector.code AS sector_code, source.code AS source_code,
         months_back(a.month) AS months_back, a.level, sum(a.adverts) AS adverts
  FROM adverts a
  JOIN rollup_codes skill ON skill.dimension = 'skill' AND skill.value = a.skill
  JOIN rollup_codes place ON place.dimension = 'place' AND place.value = a.place
  JOIN rollup_codes sector ON sector.dimension = 'sector' AND sector.value = a.sector
  JOIN rollup_codes source ON source.dimension = 'source' AND source.value = a.source
  WHERE months_back(a.month) BETWEEN 0 AND 23
  GROUP BY ALL)
SELECT -1, 'is not what adverts adds up to'
WHERE (SELECT count(*) FROM counted) <> (SELECT count(*) FROM rollup_months)
   OR EXISTS (SELECT skill_code, place_code, soc_code, sector_code, source_code, months_back, level, adverts FROM rollup_months EXCEPT FROM counted)
