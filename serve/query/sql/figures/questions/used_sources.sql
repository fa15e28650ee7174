-- The sources of adverts.
SELECT 'adverts', value FROM rollup_codes WHERE dimension = 'source' ORDER BY value;
