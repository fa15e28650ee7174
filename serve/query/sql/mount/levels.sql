-- The levels of skill, the lowest first.
SELECT level, name FROM levels ORDER BY level;
