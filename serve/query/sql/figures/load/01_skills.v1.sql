-- The skills of format version 1, which says neither kind nor wordings.
CREATE TABLE skills AS SELECT skill, name, reference_level, '' AS kind, '' AS wordings
FROM read_parquet(getvariable('tables') || '/skills.parquet') ORDER BY skill;
