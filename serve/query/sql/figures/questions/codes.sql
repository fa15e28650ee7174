-- The numbers of the roll-ups, and those of the combinations that people are printed for.
SELECT dimension, code, value FROM rollup_codes
UNION ALL SELECT 'signature', code, signature FROM signatures
ORDER BY dimension, code;
