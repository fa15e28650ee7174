-- The closed vocabularies of the figures.
CREATE TABLE skills AS SELECT skill, name, level, kind, wordings
  FROM read_parquet(getvariable('tables') || '/skills.parquet') ORDER BY skill;
CREATE TABLE places AS SELECT place, name, area_kind, code AS council
  FROM read_parquet(getvariable('tables') || '/places.parquet') ORDER BY place;
CREATE TABLE sectors AS SELECT sector, name FROM read_parquet(getvariable('tables') || '/sectors.parquet')
  ORDER BY sector;
CREATE TABLE levels AS SELECT level, name FROM read_parquet(getvariable('tables') || '/levels.parquet') ORDER BY level;
CREATE TABLE occupations AS SELECT soc, name FROM read_parquet(getvariable('tables') || '/occupations.parquet')
  ORDER BY soc;
