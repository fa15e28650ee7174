-- The numbers of places, sectors, skills and sources, and of the published combinations of filters
-- for people.
SELECT dimension, code, value FROM codes
UNION ALL SELECT 'signature', code, signature FROM signatures
ORDER BY dimension, code;
