-- The cells of adverts of the months of the longest window, for queries by month or level.
CREATE TABLE cells AS
SELECT place.code AS place, skill.code AS skill, a.level, soc_code(a.soc)::INTEGER AS soc, sector.code AS sector,
       coalesce(source.code, -1)::SMALLINT AS source,
       date_diff('month', a.month, getvariable('month'))::TINYINT AS months_back, a.adverts
FROM read_parquet(getvariable('tables') || '/adverts.parquet') a
JOIN codes place ON place.dimension = 'place' AND place.value = a.place
JOIN codes skill ON skill.dimension = 'skill' AND skill.value = a.skill
JOIN codes sector ON sector.dimension = 'sector' AND sector.value = a.sector
LEFT JOIN codes source ON source.dimension = 'source' AND source.value = a.source
WHERE date_diff('month', a.month, getvariable('month')) BETWEEN 0 AND getvariable('longest_window') - 1;
