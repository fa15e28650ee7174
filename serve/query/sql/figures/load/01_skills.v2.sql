-- The skills, with how adverts ask for them.
CREATE TABLE skills AS SELECT skill, name, reference_level, kind, wordings
FROM read_parquet(getvariable('tables') || '/skills.parquet') ORDER BY skill;
