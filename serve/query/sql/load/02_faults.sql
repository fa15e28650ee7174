-- Rows that name what another table does not list. A snapshot with any is
-- refused: its figures could be neither named nor attributed. The adverts and the
-- people are looked at where they are read, in package tally.
SELECT fault FROM (
  WITH used AS (
    SELECT 'course_demand' AS t, source_key AS key FROM read_parquet(getvariable('tables') || '/course_demand.parquet')
    UNION ALL SELECT 'skills_gaps', source_key FROM read_parquet(getvariable('tables') || '/skills_gaps.parquet')
    UNION ALL SELECT 'evidence', source_key FROM read_parquet(getvariable('tables') || '/evidence.parquet')
    UNION ALL SELECT 'regions', source_key FROM read_parquet(getvariable('tables') || '/regions.parquet')
  )
  SELECT DISTINCT t || ': source "' || key || '" is not in sources' AS fault
  FROM used u WHERE NOT EXISTS (FROM sources s WHERE s.key = u.key)
  UNION
  SELECT 'sources: more than 63' FROM sources HAVING count(*) > 63
  UNION
  SELECT 'sectors: more than 254' FROM read_parquet(getvariable('tables') || '/sectors.parquet') HAVING count(*) > 254
) ORDER BY fault LIMIT 20;
