-- What the numbers of the roll-ups stand for, by dimension.
CREATE TABLE named AS
SELECT 'place' AS dimension, c.code::INTEGER AS code, c.value, p.name, p.area_kind AS kind FROM rollup_codes c JOIN places p ON c.dimension = 'place' AND p.place = c.value
UNION ALL SELECT c.dimension, c.code, c.value, s.name, NULL FROM rollup_codes c JOIN sectors s ON c.dimension = 'sector' AND s.sector = c.value
UNION ALL SELECT c.dimension, c.code, c.value, k.name, NULL FROM rollup_codes c JOIN skills k ON c.dimension = 'skill' AND k.skill = c.value
UNION ALL SELECT 'soc', soc::INTEGER, soc, name, NULL FROM occupations
UNION ALL SELECT 'level', level, level::VARCHAR, name, NULL FROM levels
ORDER BY ALL;
-- What names the numbers of a row, in one row, since lists take less than joins: the month of
-- the snapshot, the keys of the sources of adverts in the order of their bits, skills, levels.
CREATE TABLE about AS
SELECT getvariable('month') AS month, (SELECT list(value ORDER BY code) FROM rollup_codes WHERE dimension = 'source') AS source_keys,
       (SELECT list(value ORDER BY code) FROM named WHERE dimension = 'skill') AS skills,
       (SELECT list(name ORDER BY code) FROM named WHERE dimension = 'skill') AS skill_names,
       (SELECT map(list(level), list(name)) FROM levels) AS level_names;
