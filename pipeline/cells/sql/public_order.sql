-- The public order of the values of each filter: adverts posted in the last
-- calendar year before people_as_of. It fixes which counts are hidden first to
-- protect others, and comes from adverts so that it tells nothing about people.
WITH last_year AS (
  SELECT date_trunc('year', people_as_of) - INTERVAL 1 YEAR AS first, date_trunc('year', people_as_of) AS after FROM run),
total AS (
  SELECT t.* FROM adverts_total t, last_year WHERE t.month >= first AND t.month < after),
volume AS (
  SELECT 'place' AS dim, place AS value, adverts FROM total WHERE area_kind <> 'all'
  UNION ALL SELECT 'sector', sector, adverts FROM total WHERE area_kind = 'all'
  UNION ALL SELECT 'soc', soc, adverts FROM total WHERE area_kind = 'all'
  UNION ALL SELECT 'source', source, adverts FROM total WHERE area_kind = 'all'
  UNION ALL SELECT 'level', level::VARCHAR, adverts FROM adverts, last_year
    WHERE area_kind = 'all' AND level > 0 AND month >= first AND month < after)
SELECT dim, value, sum(adverts)::BIGINT AS adverts
FROM volume GROUP BY ALL ORDER BY dim, value
