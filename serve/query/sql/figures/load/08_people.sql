-- The printed figures of people, with shares in tenths of a per cent. Place 0 is the whole
-- platform. The column value has the number of a sector or source, an occupation code, or a level;
-- 0 = none.
CREATE TABLE signatures AS
SELECT row_number() OVER (ORDER BY signature)::TINYINT AS code, signature
FROM (SELECT DISTINCT signature FROM read_parquet(getvariable('tables') || '/people.parquet'));
CREATE TABLE people AS
WITH combination AS (
  SELECT DISTINCT signature, value, string_split(signature, '_')[-1] AS dimension
  FROM read_parquet(getvariable('tables') || '/people.parquet')),
numbered AS (
  SELECT c.signature, c.value,
         CASE WHEN c.dimension IN ('soc', 'level') THEN c.value::SMALLINT
              ELSE coalesce(n.code, 0) END::SMALLINT AS number
  FROM combination c LEFT JOIN codes n ON n.dimension = c.dimension AND n.value = c.value)
SELECT s.code AS signature, p.code AS place, n.number AS value, k.code AS skill,
       r.people_turned_down::BIGINT AS people_turned_down, r.people_turned_down_status,
       (r.hired_with_skill_pct * 10)::BIGINT AS hired_with_skill,
       (r.turned_down_with_skill_pct * 10)::BIGINT AS turned_down_with_skill
FROM read_parquet(getvariable('tables') || '/people.parquet') r
JOIN signatures s ON s.signature = r.signature
JOIN numbered n ON n.signature = r.signature AND n.value = r.value
JOIN codes p ON p.dimension = 'place' AND p.value = r.place
JOIN codes k ON k.dimension = 'skill' AND k.value = r.skill
ORDER BY s.code, p.code, n.number, k.code;
