-- How many adverts of each list of a window ask for each skill; months and quarters have none. What is in a shorter
-- window is in the longer ones too, so that a combination which is not shown for 24 months has no list.
WITH cell AS (
  SELECT v.site, v.profile, s.skill, count(*) AS adverts
  FROM advert_skill s
  JOIN vacancy_cell v ON v.ordinal = s.ordinal
  GROUP BY v.site, v.profile, s.skill),
asked AS (
  SELECT c.site, m.combination, c.skill, sum(c.adverts) AS adverts,
         CASE WHEN m.age < 3 THEN 3 WHEN m.age < 6 THEN 6 WHEN m.age < 12 THEN 12 ELSE 24 END AS months
  FROM cell c
  JOIN matched m ON m.profile = c.profile
  JOIN list l ON l.site = c.site AND l.combination = m.combination AND l.window_months = 24 AND l.age IS NULL
  GROUP BY c.site, m.combination, c.skill, months),
ranked AS (
  SELECT l.number, a.skill, sum(a.adverts)::INTEGER AS adverts
  FROM asked a
  JOIN list l ON l.site = a.site AND l.combination = a.combination AND l.window_months >= a.months AND l.age IS NULL
  GROUP BY l.number, a.skill)
SELECT r.number AS list, k.skill, r.adverts
FROM ranked r
JOIN skill k ON k.number = r.skill
ORDER BY list, k.skill
