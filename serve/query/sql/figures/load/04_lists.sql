-- The published lists, with numbers instead of names. An occupation is its code, filled up to four
-- digits with zeros, and then its number of digits: 2134 is 21344 and 213 is 21303; 0 = any.
-- months_back is how many months before that of as_of a single month (window 1) or a quarter
-- (window 3) begins; -1 = a window up to as_of.
CREATE MACRO soc_code(soc) AS CASE soc WHEN '' THEN 0 ELSE rpad(soc, 4, '0')::INTEGER * 10 + length(soc) END;
CREATE TABLE lists AS
SELECT l.list, l.window_months, coalesce(date_diff('month', l.month, getvariable('month')), -1)::TINYINT AS months_back,
       source.code AS source,
       soc_code(l.soc)::INTEGER AS soc, sector.code AS sector, place.code AS place, l.adverts, l.in_council, l.in_area,
       l.sources
FROM read_parquet(getvariable('tables') || '/lists.parquet') l
JOIN codes source ON source.dimension = 'source' AND source.value = l.source
JOIN codes sector ON sector.dimension = 'sector' AND sector.value = l.sector
JOIN codes place ON place.dimension = 'place' AND place.value = l.place
ORDER BY l.list;
