-- The printed counts of residents.
SELECT dimension, value, name, residents, status FROM candidates
ORDER BY dimension, CASE WHEN dimension = 'level' THEN value ELSE name END, value;
