-- The counted vacancies, once for each month in which they count. ordinal is that of the advert that is
-- chosen to stand for the vacancy in the month; sector, occupation, source and employer are those of
-- this advert. placed is that of the most exact advert of the month.
WITH most_exact AS (
  SELECT m.chosen, max(a.placed) AS placed
  FROM advert_month m JOIN counted_advert a ON a.ordinal = m.ordinal
  GROUP BY m.chosen)
SELECT a.ordinal, a.sector, a.soc, a.source, m.month, a.readable, a.employer, p.placed
FROM counted_advert a
JOIN advert_month m ON m.ordinal = a.ordinal AND m.chosen = a.ordinal
JOIN most_exact p ON p.chosen = a.ordinal
