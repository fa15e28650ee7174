-- All adverts of the last 24 months, rolled up as rollup_skills is, and the three smallest
-- numbers of employers with an advert in the cell. How exactly places are known is null
-- in a snapshot that does not say it.
WITH cell AS (
  SELECT place.code AS place_code, CASE t.soc WHEN '' THEN 0 ELSE rpad(t.soc, 4, '0')::INTEGER * 10 + length(t.soc) END::INTEGER AS soc_code, sector.code AS sector_code, source.code AS source_code,
         date_diff('month', t.month, getvariable('month'))::TINYINT AS months_back, t.adverts, t.in_council, t.in_area, [t.employer_1, t.employer_2, t.employer_3] AS employers
  FROM adverts_total t
  JOIN rollup_codes place ON place.dimension = 'place' AND place.value = t.place
  JOIN rollup_codes sector ON sector.dimension = 'sector' AND sector.value = t.sector
  JOIN rollup_codes source ON source.dimension = 'source' AND source.value = t.source
  WHERE date_diff('month', t.month, getvariable('month')) BETWEEN 0 AND 23),
rolled AS (
  FROM cell
  UNION ALL SELECT * REPLACE (-1::INTEGER AS soc_code) FROM cell
  UNION ALL SELECT * REPLACE (-1::INTEGER AS soc_code, -1::SMALLINT AS sector_code) FROM cell),
counted AS (
  SELECT place_code, soc_code, sector_code, source_code, months_back, sum(adverts)::INTEGER AS adverts,
         sum(in_council)::INTEGER AS in_council, sum(in_area)::INTEGER AS in_area,
         list_sort(list_distinct(flatten(list(employers)))) AS employers
  FROM rolled GROUP BY ALL)
SELECT place_code, soc_code, sector_code, source_code, months_back, adverts, in_council, in_area,
       employers[1]::INTEGER AS employer_1, employers[2]::INTEGER AS employer_2, employers[3]::INTEGER AS employer_3
FROM counted
ORDER BY soc_code, sector_code, place_code, source_code, months_back
