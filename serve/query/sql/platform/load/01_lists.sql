-- The names of places, sectors and levels, and the sources with their freshness.
CREATE TABLE places AS SELECT place, name, area_kind FROM read_parquet(getvariable('tables') || '/places.parquet');
CREATE TABLE sectors AS SELECT sector, name FROM read_parquet(getvariable('tables') || '/sectors.parquet');
CREATE TABLE levels AS SELECT level, name FROM read_parquet(getvariable('tables') || '/levels.parquet');
CREATE TABLE sources AS SELECT * EXCLUDE (as_of) FROM read_parquet(getvariable('tables') || '/sources.parquet')
  ORDER BY key;
CREATE TABLE freshness AS SELECT source_key, part, last_success_at
  FROM read_parquet(getvariable('tables') || '/freshness.parquet') ORDER BY source_key, part;

-- The boroughs of each place. A borough has only itself.
CREATE TABLE place_members AS
SELECT place, place AS borough FROM places WHERE area_kind = 'borough'
UNION ALL
SELECT area, borough FROM read_parquet(getvariable('tables') || '/place_members.parquet');
