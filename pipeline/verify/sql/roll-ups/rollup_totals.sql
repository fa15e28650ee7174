-- rollup_totals is what adverts_total of the last 24 months adds up to: by occupation, of all
-- occupations of a sector (soc_code -1) and of a place (sector_code -1 too)
-- (snapshots/FORMAT.md, rollup_totals).
WITH stored AS (
  SELECT added_up([place_code, soc_code, sector_code, source_code, months_back], adverts) AS adverts,
         added_up([place_code, soc_code, sector_code, source_code, months_back], in_council) AS in_council,
         added_up([place_code, soc_code, sector_code, source_code, months_back], in_area) AS in_area
  FROM rollup_totals),
cell AS (
  SELECT t.adverts, t.in_council, t.in_area, place.code AS place, source.code AS source, months_back(t.month) AS back,
         unnest([soc_number(t.soc), -1, -1]) AS soc, unnest([sector.code, sector.code, -1]) AS sector
  FROM adverts_total t
  JOIN rollup_codes place ON place.dimension = 'place' AND place.value = t.place
  JOIN rollup_codes sector ON sector.dimension = 'sector' AND sector.value = t.sector
  JOIN rollup_codes source ON source.dimension = 'source' AND source.value = t.source
  WHERE months_back(t.month) BETWEEN 0 AND 23),
counted AS (
  SELECT added_up([place, soc, sector, source, back], adverts) AS adverts, added_up([place, soc, sector, source, back], in_council) AS in_council,
         added_up([place, soc, sector, source, back], in_area) AS in_area
  FROM cell)
SELECT -1, 'is not what adverts_total adds up to'
FROM stored, counted
WHERE stored IS DISTINCT FROM counted
