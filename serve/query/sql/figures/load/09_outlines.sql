-- The outlines of the boroughs; older snapshots have none.
CREATE TABLE outlines AS SELECT * EXCLUDE (as_of) FROM read_parquet(getvariable('tables') || '/outlines.parquet') ORDER BY place;
