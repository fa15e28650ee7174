-- The number of adverts of each list that ask for each skill. list and skill are numbers. Only the
-- lists of windows have rankings, not those of months and quarters. Longer windows contain the shorter
-- ones. If a combination has no list for 24 months, it has none for a shorter window, so its cells are
-- skipped.
WITH cell AS (
  SELECT v.site, v.profile, s.skill, count(*) AS adverts
  FROM advert_skill s
  JOIN vacancy_cell v ON v.ordinal = s.ordinal
  GROUP BY v.site, v.profile, s.skill),
asked AS (
  SELECT c.site, m.combination, c.skill, sum(c.adverts) AS adverts,
         CASE WHEN m.age < 3 THEN 3 WHEN m.age < 6 THEN 6 WHEN m.age < 12 THEN 12 ELSE 24 END AS months
  FROM cell c
  JOIN profile_combination m ON m.profile = c.profile
  JOIN list l ON l.site = c.site AND l.combination = m.combination AND l.window_months = 24 AND l.age IS NULL
  GROUP BY c.site, m.combination, c.skill, months)
SELECT l.number AS list, a.skill, sum(a.adverts)::INTEGER AS adverts
FROM asked a
JOIN list l ON l.site = a.site AND l.combination = a.combination AND l.window_months >= a.months AND l.age IS NULL
GROUP BY l.number, a.skill
