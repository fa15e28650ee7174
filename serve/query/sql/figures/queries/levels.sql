-- The levels of skill, the lowest first.
SELECT level::VARCHAR, name, '', '', '', 0 FROM levels ORDER BY level;
