-- The published combinations of filters ("lists"), with names instead of numbers.
WITH dated AS (
  SELECT p.month, r.month - 12 * year(p.month) - month(p.month) AS age
  FROM (SELECT month FROM profile UNION SELECT date_trunc('quarter', month)::DATE FROM profile) p(month)
    CROSS JOIN run r),
credited AS (
  SELECT u.sources, array_join(array_sort(array_agg(n.source)), ',') AS keys
  FROM (SELECT DISTINCT sources FROM list) u
  JOIN source_number n ON (u.sources >> n.number) & 1 = 1
  GROUP BY u.sources)
SELECT l.number AS list, l.window_months, d.month, c.source, c.soc, c.sector, t.place, l.adverts, l.in_council,
       l.in_area, k.keys AS sources
FROM list l
JOIN combination c ON c.number = l.combination
JOIN site t ON t.number = l.site
JOIN credited k ON k.sources = l.sources
LEFT JOIN dated d ON d.age = l.age
ORDER BY list
