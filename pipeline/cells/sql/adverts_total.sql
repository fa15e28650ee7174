-- Counts the adverts per cell, whatever they ask for. Each cell names up to three different
-- employers, so that a union of cells shows whether at least three remain. placed is 2 if the
-- council is known, and 1 if only a wider area is known.
WITH each_employer AS (
  SELECT site, profile, employer, count(*) AS adverts,
         count(*) FILTER (WHERE placed = 2) AS in_council, count(*) FILTER (WHERE placed = 1) AS in_area,
         row_number() OVER (PARTITION BY site, profile ORDER BY employer) AS n
  FROM vacancy_cell
  GROUP BY site, profile, employer),
cell AS (
  SELECT site, profile, sum(adverts)::INTEGER AS adverts, sum(in_council)::INTEGER AS in_council,
         sum(in_area)::INTEGER AS in_area,
         max(employer) FILTER (WHERE n = 1) AS employer_1, max(employer) FILTER (WHERE n = 2) AS employer_2,
         max(employer) FILTER (WHERE n = 3) AS employer_3
  FROM each_employer
  GROUP BY site, profile)
SELECT t.area_kind, t.place, p.sector, p.soc, p.source, p.month, c.adverts, c.in_council, c.in_area,
       c.employer_1, c.employer_2, c.employer_3
FROM cell c
JOIN site t ON t.number = c.site
JOIN profile p ON p.number = c.profile
ORDER BY c.site, c.profile
