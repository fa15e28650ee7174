-- The rankings, sorted by list in one table and by skill in the other.
CREATE TABLE rankings AS
SELECT r.list, c.code AS skill, r.adverts
FROM read_parquet(getvariable('tables') || '/rankings.parquet') r
JOIN codes c ON c.dimension = 'skill' AND c.value = r.skill;
CREATE TABLE rankings_by_skill AS
SELECT c.code AS skill, r.list, r.adverts
FROM read_parquet(getvariable('tables') || '/rankings_by_skill.parquet') r
JOIN codes c ON c.dimension = 'skill' AND c.value = r.skill;
