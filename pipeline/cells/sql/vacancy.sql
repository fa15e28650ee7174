-- The counted vacancies. Each has the sector, occupation and source of its counted advert.
-- Employers are numbered in the order of their names, and an advert without a name has an employer
-- of its own. Only the distinct names are sorted, for speed.
WITH counted AS (
  SELECT a.ordinal, a.id, a.sector, a.soc, a.first_source AS source, date_trunc('month', f.posted)::DATE AS month,
         f.placed, a.readable,
         CASE WHEN a.employer = '' THEN 'advert ' || a.ordinal ELSE a.employer END AS name
  FROM staged_adverts a JOIN vacancy_facts f ON f.ordinal = a.ordinal),
numbered AS (
  SELECT name, row_number() OVER (ORDER BY name)::INTEGER AS employer
  FROM (SELECT DISTINCT name FROM counted))
SELECT c.ordinal, c.id, c.sector, c.soc, c.source, c.month, c.readable, n.employer, c.placed
FROM counted c JOIN numbered n ON n.name = c.name
