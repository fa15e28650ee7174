-- The platform's own records, except jobs and events.
CREATE TABLE pathways AS
SELECT * EXCLUDE (as_of) FROM read_parquet(getvariable('tables') || '/pathways.parquet') ORDER BY slug, id;

CREATE TABLE pathway_steps AS
SELECT * EXCLUDE (as_of)
FROM read_parquet(getvariable('tables') || '/pathway_steps.parquet') ORDER BY pathway, position;

CREATE TABLE pathway_standards AS
SELECT * EXCLUDE (as_of)
FROM read_parquet(getvariable('tables') || '/pathway_standards.parquet') ORDER BY pathway, code;

-- The counts are made once a quarter, and may be withdrawn. Every borough, level and sector is listed,
-- without a count if it has none.
CREATE TABLE candidates AS
WITH printed AS (FROM read_parquet(getvariable('tables') || '/candidates.parquet')),
listed AS (
  SELECT 'borough' AS dimension, place AS value, name FROM places WHERE area_kind = 'borough'
  UNION ALL
  SELECT 'level', level::VARCHAR, name FROM levels
  UNION ALL
  SELECT 'sector_sought', sector, name FROM sectors)
SELECT dimension, value, coalesce(l.name, '') AS name, c.residents::BIGINT AS residents,
       coalesce(c.residents_status, '') AS status
FROM printed c FULL JOIN listed l USING (dimension, value)
ORDER BY dimension, value;
