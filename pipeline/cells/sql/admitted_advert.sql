-- The adverts that may stand for a vacancy: those that are counted, also as a duplicate, and those
-- that are not counted only because they were posted before the longest window. vacancy is the ordinal
-- of the advert that is kept for the vacancy.
-- Employers are numbered in the order of their names, and a vacancy without a name has an employer of
-- its own. Only the distinct names are sorted, for speed. placed is 2 if the council is known, and 1 if
-- only a wider area is known.
WITH named AS (
  SELECT a.ordinal, v.applied_as AS vacancy, v.counted_as >= 0 AS is_counted, a.id, a.precedence, a.sector, a.soc,
         a.first_source AS source, a.posted, a.readable,
         (CASE WHEN p.ordinal IS NULL THEN a.placed ELSE 2 END)::TINYINT AS placed,
         CASE WHEN a.employer = '' THEN 'advert ' || v.applied_as ELSE a.employer END AS name
  FROM staged_adverts a
  JOIN staged_advert_vacancies v ON v.ordinal = a.ordinal AND v.applied_as >= 0
  LEFT JOIN (SELECT DISTINCT ordinal FROM advert_place) p ON p.ordinal = a.ordinal),
numbered AS (
  SELECT name, row_number() OVER (ORDER BY name)::INTEGER AS employer
  FROM (SELECT DISTINCT name FROM named))
SELECT a.ordinal, a.vacancy, a.is_counted, a.id, a.precedence, a.sector, a.soc, a.source, a.posted, a.readable,
       a.placed, n.employer
FROM named a JOIN numbered n ON n.name = a.name
