-- Adverts that ask for a skill, per cell, as in the table adverts of a snapshot.
WITH placed AS (
  SELECT id, '' AS place FROM advert UNION ALL SELECT id, unnest(boroughs) FROM advert),
asked AS (
  SELECT id, sector, soc, source, month, unnest(skills) AS s FROM advert)
SELECT p.place, a.s.skill AS skill, coalesce(a.s.level, 0) AS level, a.sector, a.soc, a.source, a.month, count(*) AS adverts
FROM asked a JOIN placed p USING (id)
GROUP BY ALL
ORDER BY ALL
