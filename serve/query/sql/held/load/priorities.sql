-- What plans list as in demand, by area and plan.
CREATE TABLE held_priorities AS
SELECT row_number() OVER (ORDER BY region_code, plan, kind, code) AS position, * EXCLUDE (as_of)
FROM read_parquet(getvariable('held') || '/priorities.parquet')
ORDER BY position;
