-- Daily vacancy counts, the newest day first.
CREATE TABLE embargoed_demand AS
SELECT row_number() OVER (ORDER BY day DESC, soc) AS position, * EXCLUDE (as_of)
FROM read_parquet(getvariable('embargoed') || '/demand.parquet')
ORDER BY position;
