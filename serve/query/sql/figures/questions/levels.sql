-- The levels of skill, the lowest first.
SELECT level::VARCHAR, name, '', '', '' FROM levels ORDER BY level;
