-- The shares of residents.
SELECT place, level, below FROM residents ORDER BY place, level;
