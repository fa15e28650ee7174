-- The outlines of the boroughs.
INSERT INTO outlines SELECT place, outline, source_key FROM read_parquet(getvariable('tables') || '/outlines.parquet') ORDER BY place;
