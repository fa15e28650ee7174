-- The outlines of the boroughs.
CREATE TABLE outlines AS SELECT place, outline, source_key
  FROM read_parquet(getvariable('tables') || '/outlines.parquet') ORDER BY place;
