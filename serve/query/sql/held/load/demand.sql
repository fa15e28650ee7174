-- Daily vacancy counts, the newest day first.
CREATE TABLE held_demand AS
SELECT row_number() OVER (ORDER BY day DESC, soc) AS position, * EXCLUDE (as_of)
FROM read_parquet(getvariable('held') || '/demand.parquet')
ORDER BY position;
