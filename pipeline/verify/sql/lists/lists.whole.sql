-- The country as a whole has its lists wherever it has 5 adverts of 3 employers
-- (snapshots/FORMAT.md, lists).
WITH employed AS (
  SELECT months_back(month) AS back, unnest([employer_1, employer_2, employer_3]) AS employer, unnest([adverts, 0, 0]) AS adverts
  FROM adverts_total
  WHERE place = '' AND months_back(month) BETWEEN 0 AND 23),
counted AS (
  SELECT w.months, sum(e.adverts) AS adverts, count(DISTINCT e.employer) AS employers
  FROM employed e JOIN (VALUES (3), (6), (12), (24)) w(months) ON e.back < w.months
  GROUP BY w.months)
SELECT -1, format('the country has {} adverts of {} employers in {} months, and no list', adverts, employers, months)
FROM counted
WHERE adverts >= 5 AND employers >= 3
  AND months NOT IN (SELECT window_months FROM lists WHERE place = '' AND source = '' AND soc = '' AND sector = '')
