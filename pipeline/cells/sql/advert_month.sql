-- The month in which each advert of a counted vacancy counts, and the advert that is chosen to stand
-- for the vacancy in this month: the one that is kept for the vacancy, else the first by source, day
-- and id. The order in which adverts were read decides nothing.
-- A vacancy counts in each month in which an advert of it was posted. But a month counts as the one
-- before if all its adverts were posted less than same_vacancy_days after the last advert of the
-- months before: such a vacancy was advertised twice around the end of a month.
WITH advertised AS (
  SELECT vacancy, date_trunc('month', posted)::DATE AS month, max(posted) AS last
  FROM counted_advert
  GROUP BY vacancy, date_trunc('month', posted)::DATE),
compared AS (
  SELECT vacancy, month, last, lag(last) OVER (PARTITION BY vacancy ORDER BY month) AS last_before
  FROM advertised),
assigned AS (
  SELECT c.vacancy, c.month,
         max(CASE WHEN c.last_before IS NULL OR c.last >= c.last_before + r.same_vacancy_days THEN c.month END)
           OVER (PARTITION BY c.vacancy ORDER BY c.month) AS counted_month
  FROM compared c CROSS JOIN run r)
SELECT a.ordinal, s.counted_month AS month,
       first_value(a.ordinal) OVER (PARTITION BY a.vacancy, s.counted_month
                                    ORDER BY a.ordinal <> a.vacancy, a.precedence, a.posted, a.id, a.ordinal) AS chosen
FROM counted_advert a
JOIN assigned s ON s.vacancy = a.vacancy AND s.month = date_trunc('month', a.posted)::DATE
