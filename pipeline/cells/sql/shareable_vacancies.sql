-- The vacancies with at least one advert that may be shared, one row for each month in which they are
-- counted, and one for their adverts from before the longest window: such a vacancy may still be live.
-- The source is that of the advert that stands for the vacancy in the month if this may be shared, else
-- that of the advert whose source comes first. The vacancy is live from the first of the month's
-- shareable adverts to the last.
WITH dated AS (
  SELECT s.*, m.chosen, false AS is_old
  FROM staged_shared s JOIN advert_month m ON m.ordinal = s.ordinal
  UNION ALL
  SELECT s.*, a.vacancy, true
  FROM staged_shared s JOIN admitted_advert a ON a.ordinal = s.ordinal
  WHERE NOT a.is_counted),
shareable AS (
  SELECT *, row_number() OVER (PARTITION BY chosen, is_old
                               ORDER BY ordinal <> chosen, precedence, ordinal) AS choice
  FROM dated)
SELECT v.vacancy, v.employer, v.soc, max(s.source_key) FILTER (WHERE s.choice = 1) AS source_key,
       min(s.posted) AS posted, max(s.until) AS until
FROM shareable s JOIN admitted_advert v ON v.ordinal = s.chosen
GROUP BY v.ordinal, s.is_old, v.vacancy, v.employer, v.soc
ORDER BY vacancy, posted
