-- Where the numbers of the roll-ups are not those of the vocabularies in their order.
-- Sources are looked up in the list of sources, which is a part of its own; each has a bit
-- in the answers.
WITH listed AS (
  SELECT 'place' AS dimension, row_number() OVER (ORDER BY place) AS code, place AS value FROM places
  UNION ALL SELECT 'sector', row_number() OVER (ORDER BY sector), sector FROM sectors
  UNION ALL SELECT 'skill', row_number() OVER (ORDER BY skill), skill FROM skills)
SELECT 'rollup_codes: more than 62 sources of adverts' AS fault FROM rollup_codes WHERE dimension = 'source' HAVING max(code) > 62
UNION ALL
SELECT 'rollup_codes: ' || dimension || ' "' || value || '" is not number ' || code || ' of its list' AS fault
FROM (
  SELECT dimension, code, value FROM rollup_codes WHERE code > 0 AND dimension <> 'source'
  EXCEPT
  FROM listed)
UNION ALL
SELECT 'rollup_codes: ' || dimension || ' "' || value || '" has no number' FROM listed ANTI JOIN rollup_codes USING (dimension, value)
UNION ALL
SELECT 'the roll-ups have a ' || used.dimension || ' that is not in rollup_codes'
FROM (
  SELECT 'place' AS dimension, max(place_code) AS code FROM rollup_months UNION ALL SELECT 'sector', max(sector_code) FROM rollup_months
  UNION ALL SELECT 'skill', max(skill_code) FROM rollup_months UNION ALL SELECT 'source', max(source_code) FROM rollup_months
  UNION ALL SELECT 'place', max(place_code) FROM rollup_skills UNION ALL SELECT 'skill', max(skill_code) FROM rollup_skills
  UNION ALL SELECT 'source', max(source_code) FROM rollup_totals) used
WHERE used.code > (SELECT max(c.code) FROM rollup_codes c WHERE c.dimension = used.dimension)
ORDER BY fault LIMIT 20;
