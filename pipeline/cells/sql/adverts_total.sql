-- Counted adverts per cell, whatever they ask for, with up to three different
-- employers: the union over any cells then shows whether at least three remain.
WITH each_employer AS (
  SELECT site, profile, employer, count(*) AS adverts
  FROM vacancy_cell
  GROUP BY ALL),
cell AS (
  SELECT site, profile, sum(adverts)::INTEGER AS adverts, min(employer, 3) AS employers
  FROM each_employer
  GROUP BY ALL)
SELECT t.area_kind, t.place, p.sector, p.soc, p.source, p.month, c.adverts,
       c.employers[1] AS employer_1, c.employers[2] AS employer_2, c.employers[3] AS employer_3
FROM cell c
JOIN site t ON t.number = c.site
JOIN profile p ON p.number = c.profile
ORDER BY c.site, c.profile
