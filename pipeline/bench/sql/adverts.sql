-- Adverts that ask for a skill, per cell, as in the table adverts of a snapshot.
WITH placed AS (
  SELECT id, unnest(boroughs) AS place FROM advert),
sited AS (
  SELECT id, 'all' AS area_kind, '' AS place FROM advert
  UNION ALL SELECT id, 'borough', place FROM placed
  UNION ALL SELECT DISTINCT id, 'area', area FROM placed JOIN member ON member.borough = placed.place),
asked AS (
  SELECT id, sector, soc, source, month, unnest(skills) AS s FROM advert)
SELECT p.area_kind, p.place, a.s.skill AS skill, coalesce(a.s.level, 0) AS level, a.sector, a.soc, a.source, a.month, count(*) AS adverts
FROM asked a JOIN sited p USING (id)
GROUP BY ALL
ORDER BY ALL
