-- The adverts of counted vacancies. vacancy is the ordinal of the advert that is kept for the vacancy.
-- Employers are numbered in the order of their names, and a vacancy without a name has an employer of
-- its own. Only the distinct names are sorted, for speed. placed is 2 if the council is known, and 1 if
-- only a wider area is known.
WITH named AS (
  SELECT a.ordinal, v.counted_as AS vacancy, a.id, a.precedence, a.sector, a.soc, a.first_source AS source, a.posted,
         a.readable,
         (CASE WHEN p.ordinal IS NULL THEN a.placed ELSE 2 END)::TINYINT AS placed,
         CASE WHEN a.employer = '' THEN 'advert ' || v.counted_as ELSE a.employer END AS name
  FROM staged_adverts a
  JOIN staged_advert_vacancies v ON v.ordinal = a.ordinal AND v.counted_as >= 0
  LEFT JOIN (SELECT DISTINCT ordinal FROM advert_place) p ON p.ordinal = a.ordinal),
numbered AS (
  SELECT name, row_number() OVER (ORDER BY name)::INTEGER AS employer
  FROM (SELECT DISTINCT name FROM named))
SELECT a.ordinal, a.vacancy, a.id, a.precedence, a.sector, a.soc, a.source, a.posted, a.readable, a.placed, n.employer
FROM named a JOIN numbered n ON n.name = a.name
