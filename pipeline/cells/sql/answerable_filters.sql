-- The filters for which figures of people can be printed. Their counted adverts reach the floor of
-- adverts and employers in the twelve months that the figures describe.
WITH cell AS (
  SELECT t.place, p.sector, p.soc, p.source, c.employer
  FROM vacancy_cell c
  JOIN site t ON t.number = c.site
  JOIN profile p ON p.number = c.profile
  CROSS JOIN run r
  WHERE p.month >= r.people_from AND p.month <= r.people_to),
filtered AS (
  SELECT place, 'none' AS filter, '' AS value, employer FROM cell
  UNION ALL
  SELECT place, 'sector', sector, employer FROM cell WHERE sector <> ''
  UNION ALL
  SELECT place, 'source', source, employer FROM cell
  UNION ALL
  SELECT place, 'soc', substring(soc, 1, d.digits), employer
  FROM cell JOIN (VALUES (1), (2), (3), (4)) d(digits) ON length(soc) >= d.digits)
SELECT place, filter, value
FROM filtered
GROUP BY place, filter, value
HAVING count(*) >= (SELECT adverts FROM floor) AND count(DISTINCT employer) >= (SELECT employers FROM floor)
ORDER BY place, filter, value
