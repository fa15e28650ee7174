-- The printed shares of residents below each level that adverts ask, in tenths of a per
-- cent. Level 0 = none is asked: that of the register is meant. Place 0 is the whole
-- platform.
CREATE TABLE residents AS
WITH asked AS (FROM rollup_skills SELECT DISTINCT level UNION SELECT 0)
SELECT p.code AS place, k.code AS skill, a.level, CASE a.level WHEN 0 THEN s.reference_level ELSE a.level END::TINYINT AS meant, (r.people_below_share_pct * 10)::BIGINT AS below
FROM rollup_codes p JOIN rollup_codes k ON p.dimension = 'place' AND k.dimension = 'skill'
JOIN skills s ON s.skill = k.value
CROSS JOIN asked a
LEFT JOIN read_parquet(getvariable('tables') || '/residents.parquet') r
       ON r.place = p.value AND r.skill = k.value AND r.level = CASE a.level WHEN 0 THEN s.reference_level ELSE a.level END
ORDER BY ALL;
