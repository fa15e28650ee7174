-- The printed shares of residents below each level, in tenths of a per cent. A row has the shares
-- of all skills in their order, or -1 where none is published. Place 0 is the whole platform.
CREATE TABLE residents AS
SELECT p.code AS place, l.level,
       string_agg(coalesce((r.people_below_share_pct * 10)::INTEGER, -1), ',' ORDER BY k.code) AS below
FROM codes p
JOIN codes k ON p.dimension = 'place' AND k.dimension = 'skill'
CROSS JOIN levels l
LEFT JOIN read_parquet(getvariable('tables') || '/residents.parquet') r
  ON r.place = p.value AND r.skill = k.value AND r.level = l.level
GROUP BY p.code, l.level
ORDER BY p.code, l.level;
