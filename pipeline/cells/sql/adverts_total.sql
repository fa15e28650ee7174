-- Counted adverts per cell, whatever they ask for, with up to three different
-- employers: the union over any cells then shows whether at least three remain.
WITH each_employer AS (
  SELECT g.area_kind, g.place, v.sector, v.soc, v.source, v.month, v.employer, count(*) AS adverts
  FROM vacancy v JOIN vacancy_area g USING (ordinal)
  GROUP BY ALL)
SELECT area_kind, place, sector, soc, source, month,
       sum(adverts)::INTEGER AS adverts,
       min(employer, 3)[1] AS employer_1, min(employer, 3)[2] AS employer_2, min(employer, 3)[3] AS employer_3
FROM each_employer
GROUP BY ALL
ORDER BY area_kind, place, sector, soc, source, month
