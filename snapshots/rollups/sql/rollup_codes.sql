-- The numbers that stand for places, sectors, skills and sources in the roll-ups, in the
-- order of the values. Number 0 is the whole country (a place) or "not known" (a sector).
SELECT dimension, code::SMALLINT AS code, value
FROM (
  SELECT 'place' AS dimension, 0 AS code, '' AS value
  UNION ALL SELECT 'place', row_number() OVER (ORDER BY place), place FROM places
  UNION ALL SELECT 'sector', 0, ''
  UNION ALL SELECT 'sector', row_number() OVER (ORDER BY sector), sector FROM sectors
  UNION ALL SELECT 'skill', row_number() OVER (ORDER BY skill), skill FROM skills
  UNION ALL SELECT 'source', row_number() OVER (ORDER BY source), source FROM (SELECT DISTINCT source FROM adverts_total))
ORDER BY dimension, code
