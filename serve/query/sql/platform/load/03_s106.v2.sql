-- Section 106 headline counts.
CREATE TABLE s106 AS
SELECT * EXCLUDE (as_of) FROM read_parquet(getvariable('tables') || '/s106.parquet') ORDER BY place;
