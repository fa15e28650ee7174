-- Shares of residents in tenths of a per cent. Code 0 is all residents of the
-- platform.
CREATE TABLE residents AS
SELECT p.code AS place, k.code AS skill, (r.people_below_share_pct * 10)::BIGINT AS below
FROM read_parquet(getvariable('tables') || '/residents.parquet') r
JOIN places p ON p.place = r.place
JOIN skills k ON k.skill = r.skill
ORDER BY ALL;
