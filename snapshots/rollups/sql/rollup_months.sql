-- The cells of adverts of the last 24 months by skill, for the breakdowns of one skill.
-- An occupation is the code of its group, filled up to four digits with zeros, and then
-- the number of its own digits: 2134 is 21344 and 213 is 21303; 0 = not known. A month is
-- counted back from the one of as_of.
SELECT skill.code AS skill_code, place.code AS place_code, CASE a.soc WHEN '' THEN 0 ELSE rpad(a.soc, 4, '0')::INTEGER * 10 + length(a.soc) END::INTEGER AS soc_code,
       sector.code AS sector_code, source.code AS source_code,
       date_diff('month', a.month, getvariable('month'))::TINYINT AS months_back, a.level::TINYINT AS level, a.adverts::INTEGER AS adverts
FROM adverts a
JOIN rollup_codes skill ON skill.dimension = 'skill' AND skill.value = a.skill
JOIN rollup_codes place ON place.dimension = 'place' AND place.value = a.place
JOIN rollup_codes sector ON sector.dimension = 'sector' AND sector.value = a.sector
JOIN rollup_codes source ON source.dimension = 'source' AND source.value = a.source
WHERE date_diff('month', a.month, getvariable('month')) BETWEEN 0 AND 23
ORDER BY ALL
