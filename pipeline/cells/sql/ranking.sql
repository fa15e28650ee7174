-- The number of adverts of each list that ask for each skill. list and skill are numbers. Only the
-- lists of windows have rankings, not those of months and quarters. Longer windows contain the shorter
-- ones. If a combination has no list for the longest window, it has none for a shorter one, so its cells
-- are skipped. shortest has the shortest window that contains a month.
WITH cell AS (
  SELECT v.site, v.profile, s.skill, count(*) AS adverts
  FROM advert_skill s
  JOIN vacancy_cell v ON v.ordinal = s.ordinal
  GROUP BY v.site, v.profile, s.skill),
shortest AS (
  SELECT m.age, min(w.months) AS months
  FROM (SELECT DISTINCT age FROM profile_combination) m
  JOIN advert_window w ON m.age < w.months
  GROUP BY m.age),
asked AS (
  SELECT c.site, m.combination, c.skill, sum(c.adverts) AS adverts, w.months
  FROM cell c
  CROSS JOIN run r
  JOIN profile_combination m ON m.profile = c.profile
  JOIN shortest w ON w.age = m.age
  JOIN list l ON l.site = c.site AND l.combination = m.combination AND l.window_months = r.longest_window
             AND l.age IS NULL
  GROUP BY c.site, m.combination, c.skill, w.months)
SELECT l.number AS list, a.skill, sum(a.adverts)::INTEGER AS adverts
FROM asked a
JOIN list l ON l.site = a.site AND l.combination = a.combination AND l.window_months >= a.months AND l.age IS NULL
GROUP BY l.number, a.skill
