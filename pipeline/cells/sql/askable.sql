-- P9: the filters of a window that match at least 5 counted adverts, of at least 3
-- employers. Anything else gives an empty list, so that nothing of people is printed for it.
WITH cell AS (
  SELECT t.place, p.sector, p.soc, p.source, c.employer, r.month - 12 * year(p.month) - month(p.month) AS age
  FROM vacancy_cell c
  JOIN site t ON t.number = c.site
  JOIN profile p ON p.number = c.profile
  CROSS JOIN run r
  WHERE p.month >= r.recent),
filtered AS (
  SELECT place, 'none' AS filter, '' AS value, employer, age FROM cell
  UNION ALL
  SELECT place, 'sector', sector, employer, age FROM cell WHERE sector <> ''
  UNION ALL
  SELECT place, 'source', source, employer, age FROM cell
  UNION ALL
  SELECT place, 'soc', substring(soc, 1, d.digits), employer, age
  FROM cell JOIN (VALUES (1), (2), (3), (4)) d(digits) ON length(soc) >= d.digits),
employed AS (
  SELECT place, filter, value, employer, min(age) AS youngest, count(*) AS months_24,
         count(*) FILTER (WHERE age < 3) AS months_3, count(*) FILTER (WHERE age < 6) AS months_6, count(*) FILTER (WHERE age < 12) AS months_12
  FROM filtered
  GROUP BY place, filter, value, employer)
SELECT place, filter, value, w.months::TINYINT AS window_months
FROM employed
CROSS JOIN (VALUES (3), (6), (12), (24)) w(months)
GROUP BY place, filter, value, w.months
HAVING count(*) FILTER (WHERE youngest < w.months) >= 3
   AND sum(CASE w.months WHEN 3 THEN months_3 WHEN 6 THEN months_6 WHEN 12 THEN months_12 ELSE months_24 END) >= 5
ORDER BY place, filter, value, window_months
