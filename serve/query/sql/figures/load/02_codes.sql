-- Numbers places, sectors, skills and sources in the order of their values. Filters by number let
-- DuckDB skip the parts of a table that do not match. Number 0 is the whole country, or any.
CREATE TABLE codes AS
SELECT dimension, code::SMALLINT AS code, value
FROM (
  SELECT 'place' AS dimension, 0 AS code, '' AS value
  UNION ALL SELECT 'place', row_number() OVER (ORDER BY place), place FROM places
  UNION ALL SELECT 'sector', 0, ''
  UNION ALL SELECT 'sector', row_number() OVER (ORDER BY sector), sector FROM sectors
  UNION ALL SELECT 'skill', row_number() OVER (ORDER BY skill), skill FROM skills
  UNION ALL SELECT 'source', 0, ''
  UNION ALL SELECT 'source', row_number() OVER (ORDER BY source), source
            FROM (SELECT DISTINCT source FROM read_parquet(getvariable('tables') || '/lists.parquet')
                  WHERE source <> ''))
ORDER BY dimension, code;
