-- The counted vacancies with at least one advert that may be shared, one row for each of their months.
-- The source is that of the advert that stands for the vacancy in the month if this may be shared,
-- else that of the advert whose source comes first. The vacancy is live from the first of the month's
-- shareable adverts to the last.
WITH shareable AS (
  SELECT s.*, m.chosen,
         row_number() OVER (PARTITION BY m.chosen ORDER BY s.ordinal <> m.chosen, s.precedence, s.ordinal) AS choice
  FROM staged_shared s JOIN advert_month m ON m.ordinal = s.ordinal)
SELECT v.vacancy, v.employer, v.soc, max(s.source_key) FILTER (WHERE s.choice = 1) AS source_key,
       min(s.posted) AS posted, max(s.until) AS until
FROM shareable s JOIN counted_advert v ON v.ordinal = s.chosen
GROUP BY v.ordinal, v.vacancy, v.employer, v.soc
ORDER BY vacancy, posted
