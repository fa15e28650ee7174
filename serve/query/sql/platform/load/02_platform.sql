-- The platform's own records, except jobs and events.
CREATE TABLE pathways AS
SELECT * EXCLUDE (as_of) FROM read_parquet(getvariable('tables') || '/pathways.parquet') ORDER BY slug, id;

CREATE TABLE pathway_steps AS
SELECT * EXCLUDE (as_of)
FROM read_parquet(getvariable('tables') || '/pathway_steps.parquet') ORDER BY pathway, position;

CREATE TABLE pathway_standards AS
SELECT * EXCLUDE (as_of)
FROM read_parquet(getvariable('tables') || '/pathway_standards.parquet') ORDER BY pathway, code;

-- The counts are made once a quarter. A borough that is newer is listed without a count.
CREATE TABLE candidates AS
WITH printed AS (FROM read_parquet(getvariable('tables') || '/candidates.parquet')),
listed AS (
  SELECT dimension, value, residents, residents_status FROM printed
  UNION ALL
  SELECT 'borough', place, NULL, '' FROM places
  WHERE area_kind = 'borough' AND EXISTS (FROM printed)
    AND place NOT IN (SELECT value FROM printed WHERE dimension = 'borough'))
SELECT c.dimension, c.value, coalesce(p.name, l.name, s.name, '') AS name, c.residents::BIGINT AS residents,
       c.residents_status AS status
FROM listed c
LEFT JOIN places p ON c.dimension = 'borough' AND p.place = c.value
LEFT JOIN levels l ON c.dimension = 'level' AND l.level::VARCHAR = c.value
LEFT JOIN sectors s ON c.dimension = 'sector_sought' AND s.sector = c.value
ORDER BY c.dimension, c.value;
