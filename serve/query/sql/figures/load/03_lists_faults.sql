-- Finds places, sectors, skills and occupations in lists, rankings and cells that the other tables
-- do not have. A snapshot with any is refused, because its figures could not be named.
WITH listed AS (SELECT DISTINCT place, sector, soc FROM read_parquet(getvariable('tables') || '/lists.parquet')),
cell AS (SELECT DISTINCT place, sector, source, soc FROM read_parquet(getvariable('tables') || '/adverts.parquet')),
named AS (
  SELECT 'lists' AS name, 'place' AS dimension, place AS value FROM listed
  UNION SELECT 'lists', 'sector', sector FROM listed
  UNION SELECT 'rankings', 'skill', skill FROM read_parquet(getvariable('tables') || '/rankings.parquet')
  UNION SELECT 'rankings_by_skill', 'skill', skill
  FROM read_parquet(getvariable('tables') || '/rankings_by_skill.parquet')
  UNION SELECT 'adverts', 'skill', skill FROM read_parquet(getvariable('tables') || '/adverts.parquet')
  UNION SELECT 'adverts', 'place', place FROM cell
  UNION SELECT 'adverts', 'sector', sector FROM cell)
SELECT name || ': ' || dimension || ' "' || value || '" is not in ' || dimension || 's' AS fault
FROM named ANTI JOIN codes USING (dimension, value)
UNION ALL
SELECT DISTINCT name || ': soc "' || soc || '" is not a group of one to four digits'
FROM (SELECT 'lists' AS name, soc FROM listed UNION ALL SELECT 'adverts', soc FROM cell)
WHERE NOT regexp_full_match(soc, '([1-9][0-9]{0,3})?')
ORDER BY fault LIMIT 20;
