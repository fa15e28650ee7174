-- Live work reachable from each ward, the shortest distance first.
CREATE TABLE embargoed_reach AS
SELECT row_number() OVER (ORDER BY ward_code, within_km) AS position, * EXCLUDE (as_of)
FROM read_parquet(getvariable('embargoed') || '/reach.parquet')
ORDER BY position;
