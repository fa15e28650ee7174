-- The whole country has a list for every window and quarter with at least 5 adverts of 3 employers
-- (snapshots/FORMAT.md, lists).
WITH employed AS (
  SELECT months_back(month) AS back, quarter_of(month) AS quarter,
         unnest([employer_1, employer_2, employer_3]) AS employer,
         unnest([adverts, 0, 0]) AS adverts
  FROM adverts_total
  WHERE place = '' AND is_recent(month)),
counted AS (
  SELECT w.months, NULL::DATE AS month, sum(e.adverts) AS adverts, count(DISTINCT e.employer) AS employers
  FROM employed e JOIN (SELECT unnest(windows()) AS months) w ON e.back < w.months
  GROUP BY w.months
  UNION ALL
  SELECT 3, quarter, sum(adverts), count(DISTINCT employer)
  FROM employed
  WHERE is_recent(quarter)
  GROUP BY quarter)
SELECT -1, format('the country has {} adverts of {} employers in {} months{}, and no list', c.adverts, c.employers,
                  c.months, coalesce(' from ' || c.month, ''))
FROM counted c
LEFT JOIN lists l ON l.place = '' AND l.source = '' AND l.soc = '' AND l.sector = ''
                 AND l.window_months = c.months AND l.month IS NOT DISTINCT FROM c.month
WHERE c.adverts >= 5 AND c.employers >= 3 AND l.list IS NULL
