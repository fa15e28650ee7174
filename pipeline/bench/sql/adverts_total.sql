-- All adverts per cell with up to three employers, as in the table adverts_total.
WITH placed AS (
  SELECT id, unnest(boroughs) AS place FROM advert),
sited AS (
  SELECT id, 'all' AS area_kind, '' AS place FROM advert
  UNION ALL SELECT id, 'borough', place FROM placed
  UNION ALL SELECT DISTINCT id, 'area', area FROM placed JOIN member ON member.borough = placed.place)
SELECT p.area_kind, p.place, a.sector, a.soc, a.source, a.month, count(*) AS adverts, min(employer, 3) AS employers
FROM advert a JOIN sited p USING (id)
GROUP BY ALL
ORDER BY ALL
