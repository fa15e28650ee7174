-- The closed vocabularies, numbered. Codes follow the order of the slugs, so
-- that ordering by code is ordering by slug. Code 0 is "not known" (a sector) or
-- the whole country (a place); 255 is kept for "any".
CREATE TABLE places AS
SELECT 0::USMALLINT AS code, '' AS place, '' AS name, 'all' AS area_kind, '' AS council
UNION ALL
SELECT row_number() OVER (ORDER BY place)::USMALLINT, place, name, area_kind, code
FROM read_parquet(getvariable('tables') || '/places.parquet')
ORDER BY code;

CREATE TABLE sectors AS
SELECT 0::UTINYINT AS code, '' AS sector, '' AS name
UNION ALL
SELECT row_number() OVER (ORDER BY sector)::UTINYINT, sector, name
FROM read_parquet(getvariable('tables') || '/sectors.parquet')
ORDER BY code;

CREATE TABLE skills AS
SELECT row_number() OVER (ORDER BY skill)::UINTEGER AS code, skill, name,
       reference_level::UTINYINT AS reference_level
FROM read_parquet(getvariable('tables') || '/skills.parquet')
ORDER BY code;

CREATE TABLE levels AS
SELECT level::UTINYINT AS level, name
FROM read_parquet(getvariable('tables') || '/levels.parquet')
ORDER BY level;

CREATE TABLE occupations AS
SELECT soc, name
FROM read_parquet(getvariable('tables') || '/occupations.parquet')
ORDER BY soc;

-- A source's bit stands for it in the masks of package tally, so there are at most 63.
CREATE TABLE sources AS
SELECT (row_number() OVER (ORDER BY key) - 1)::UTINYINT AS code, * EXCLUDE (as_of)
FROM read_parquet(getvariable('tables') || '/sources.parquet')
ORDER BY code;

-- What a breakdown may name, by the code that the cells hold. Months are counted
-- back from the month of as_of.
CREATE TABLE buckets AS
SELECT 'place' AS kind, code::INTEGER AS code, place AS bucket, name FROM places WHERE code > 0
UNION ALL SELECT 'sector', code, sector, name FROM sectors WHERE code > 0
UNION ALL SELECT 'soc', soc::INTEGER, soc, name FROM occupations WHERE length(soc) = 4
UNION ALL SELECT 'level', level, level::VARCHAR, name FROM levels
UNION ALL SELECT 'month', back::INTEGER, strftime(getvariable('month') - to_months(back::INTEGER), '%Y-%m'),
                 strftime(getvariable('month') - to_months(back::INTEGER), '%B %Y') FROM range(24) t(back)
ORDER BY kind, code;
