-- Rows that name what another table does not list. A snapshot with any is
-- refused: its figures could be neither named nor attributed.
SELECT fault FROM (
  WITH adverts AS (
    SELECT 'adverts' AS t, area_kind, place, sector, soc, source FROM read_parquet(getvariable('tables') || '/adverts.parquet')
    UNION ALL
    SELECT 'adverts_total', area_kind, place, sector, soc, source FROM read_parquet(getvariable('tables') || '/adverts_total.parquet')
  ), used AS (
    SELECT t, source AS key FROM adverts
    UNION ALL SELECT 'course_demand', source_key FROM read_parquet(getvariable('tables') || '/course_demand.parquet')
    UNION ALL SELECT 'skills_gaps', source_key FROM read_parquet(getvariable('tables') || '/skills_gaps.parquet')
    UNION ALL SELECT 'evidence', source_key FROM read_parquet(getvariable('tables') || '/evidence.parquet')
    UNION ALL SELECT 'regions', source_key FROM read_parquet(getvariable('tables') || '/regions.parquet')
  )
  SELECT DISTINCT t || ': place "' || place || '" of kind ' || area_kind || ' is not in places' AS fault
  FROM adverts a WHERE NOT EXISTS (FROM places p WHERE p.place = a.place AND p.area_kind = a.area_kind)
  UNION
  SELECT DISTINCT t || ': sector "' || sector || '" is not in sectors'
  FROM adverts a WHERE NOT EXISTS (FROM sectors s WHERE s.sector = a.sector)
  UNION
  SELECT DISTINCT t || ': soc "' || soc || '" is not a unit group of four digits'
  FROM adverts a WHERE NOT regexp_full_match(soc, '([1-9][0-9]{3})?')
  UNION
  SELECT DISTINCT 'adverts: skill "' || skill || '" is not in skills'
  FROM read_parquet(getvariable('tables') || '/adverts.parquet') a WHERE NOT EXISTS (FROM skills s WHERE s.skill = a.skill)
  UNION
  SELECT DISTINCT t || ': source "' || key || '" is not in sources'
  FROM used u WHERE NOT EXISTS (FROM sources s WHERE s.key = u.key)
  UNION
  SELECT DISTINCT 'people: signature "' || signature || '" is not of the lattice'
  FROM read_parquet(getvariable('tables') || '/people.parquet') WHERE signature_code(signature) IS NULL
  UNION
  SELECT 'sources: more than 63' FROM sources HAVING count(*) > 63
  UNION
  SELECT 'sectors: more than 254' FROM read_parquet(getvariable('tables') || '/sectors.parquet') HAVING count(*) > 254
) ORDER BY fault LIMIT 20;
