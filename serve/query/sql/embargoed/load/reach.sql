-- Live vacancies within 5, 10 and 20 km of each ward, sorted by ward and distance.
CREATE TABLE embargoed_reach AS
SELECT row_number() OVER (ORDER BY ward_code, within_km) AS position, * EXCLUDE (as_of)
FROM read_parquet(getvariable('embargoed') || '/reach.parquet')
ORDER BY position;
