-- The sources of adverts.
SELECT 'lists', value FROM codes WHERE dimension = 'source' AND value <> '' ORDER BY value;
