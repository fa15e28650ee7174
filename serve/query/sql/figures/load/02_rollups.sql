-- The roll-ups of a snapshot that has them, in their own order.
CREATE TABLE rollup_codes AS SELECT * EXCLUDE (as_of) FROM read_parquet(getvariable('tables') || '/rollup_codes.parquet');
CREATE TABLE rollup_months AS SELECT * EXCLUDE (as_of) FROM read_parquet(getvariable('tables') || '/rollup_months.parquet');
CREATE TABLE rollup_skills AS SELECT * EXCLUDE (as_of) FROM read_parquet(getvariable('tables') || '/rollup_skills.parquet');
CREATE TABLE rollup_totals AS SELECT * EXCLUDE (as_of) FROM read_parquet(getvariable('tables') || '/rollup_totals.parquet');
