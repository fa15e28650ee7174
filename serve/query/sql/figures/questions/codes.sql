-- The numbers of the tables, and those of the combinations that people are printed for.
SELECT dimension, code, value FROM codes
UNION ALL SELECT 'signature', code, signature FROM signatures
ORDER BY dimension, code;
