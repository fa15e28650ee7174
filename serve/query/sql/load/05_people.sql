-- The printed people figures in two orders: by cell, for ranking skills, and by
-- skill, for breaking one skill down. Shares are in tenths of a per cent. A row
-- that names a place, sector or source that nothing else lists can never be asked
-- for and is left out.
CREATE TABLE people_by_cell AS
WITH printed AS (
  SELECT *, split_part(signature, '_', -1) AS dimension
  FROM read_parquet(getvariable('tables') || '/people.parquet')
)
SELECT signature_code(r.signature) AS signature, r.window_months::UTINYINT AS months, p.code AS place,
       CASE r.dimension
         WHEN 'sector' THEN c.code::INTEGER
         WHEN 'source' THEN s.code::INTEGER
         WHEN 'soc' THEN r.value::INTEGER
         WHEN 'level' THEN r.value::INTEGER
         WHEN 'month' THEN datediff('month', (r.value || '-01')::DATE, getvariable('month'))::INTEGER
         ELSE 0
       END AS value,
       k.code AS skill,
       r.people_turned_down::BIGINT AS turned_down,
       r.people_turned_down_status AS turned_down_status,
       (r.hired_with_skill_pct * 10)::BIGINT AS hired_with,
       (r.turned_down_with_skill_pct * 10)::BIGINT AS turned_down_with
FROM printed r
JOIN places p ON p.place = r.place
JOIN skills k ON k.skill = r.skill
LEFT JOIN sectors c ON r.dimension = 'sector' AND c.sector = r.value
LEFT JOIN sources s ON r.dimension = 'source' AND s.key = r.value
ORDER BY signature, months, place, value, skill;

CREATE TABLE people_by_skill AS
SELECT skill, signature, months, place, value, turned_down, turned_down_status, hired_with, turned_down_with
FROM people_by_cell
ORDER BY skill, signature, months, place, value;

-- Code 0 is all residents of the platform.
CREATE TABLE residents AS
SELECT p.code AS place, k.code AS skill, (r.people_below_share_pct * 10)::BIGINT AS below
FROM read_parquet(getvariable('tables') || '/residents.parquet') r
JOIN places p ON p.place = r.place
JOIN skills k ON k.skill = r.skill
ORDER BY ALL;
