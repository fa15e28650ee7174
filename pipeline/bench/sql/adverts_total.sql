-- All adverts per cell with up to three employers, as in the table adverts_total.
WITH placed AS (
  SELECT id, '' AS place FROM advert UNION ALL SELECT id, unnest(boroughs) FROM advert)
SELECT p.place, a.sector, a.soc, a.source, a.month, count(*) AS adverts, min(employer, 3) AS employers
FROM advert a JOIN placed p USING (id)
GROUP BY ALL
ORDER BY ALL
