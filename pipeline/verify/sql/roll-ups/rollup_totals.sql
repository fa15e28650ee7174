-- rollup_totals is what adverts_total of the last 24 months adds up to: by occupation, of all
-- occupations of a sector (soc_code -1) and of a place (sector_code -1 too)
-- (snapshots/FORMAT.md, rollup_totals).
WITH counted AS (
  SELECT place.code AS place_code, if(grouping(soc_number(t.soc)) = 1, -1, soc_number(t.soc)) AS soc_code, if(grouping(sector.code) = 1, -1, sector.code) AS sector_code,
         source.code AS source_code, months_back(t.month) AS months_back, sum(t.adverts) AS adverts, sum(t.in_council) AS in_council, sum(t.in_area) AS in_area
  FROM adverts_total t
  JOIN rollup_codes place ON place.dimension = 'place' AND place.value = t.place
  JOIN rollup_codes sector ON sector.dimension = 'sector' AND sector.value = t.sector
  JOIN rollup_codes source ON source.dimension = 'source' AND source.value = t.source
  WHERE months_back(t.month) BETWEEN 0 AND 23
  GROUP BY place.code, source.code, months_back(t.month), ROLLUP (sector.code, soc_number(t.soc)))
SELECT -1, 'is not what adverts_total adds up to'
WHERE (SELECT count(*) FROM counted) <> (SELECT count(*) FROM rollup_totals)
   OR EXISTS (SELECT place_code, soc_code, sector_code, source_code, months_back, adverts, in_council, in_area FROM rollup_totals EXCEPT FROM counted)
