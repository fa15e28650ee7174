-- Counts live vacancies per day and unit group, for the 365 days up to as_of. It counts only
-- sources that may be in the dataset, and a figure needs the floor of vacancies and employers. A
-- vacancy is live from the day it was posted to its closing day. If its source stopped listing it
-- earlier, or it has no closing day, it is live to the last day on which its source listed it. So
-- too /v1/jobs shows no vacancy that its source stopped listing. Days before the first fetch of a
-- source count what that fetch still showed. A vacancy that is advertised again in a later month is
-- not live between.
WITH live AS (
  SELECT v.vacancy, v.soc, v.source_key, v.employer,
         unnest(generate_series(greatest(v.posted, getvariable('as_of') - 364), least(v.until, getvariable('as_of')),
                                INTERVAL 1 DAY))::DATE AS day
  FROM shareable_vacancies v JOIN shown s ON s.dataset = 'demand' AND s.source_key = v.source_key
  WHERE length(v.soc) = 4)
SELECT l.day, l.soc, coalesce(o.name, '') AS occupation, count(DISTINCT l.vacancy)::INTEGER AS vacancies,
       string_agg(DISTINCT l.source_key, ',' ORDER BY l.source_key) AS source_keys
FROM live l LEFT JOIN occupations o ON o.soc = l.soc
GROUP BY l.day, l.soc, o.name
HAVING count(DISTINCT l.vacancy) >= (SELECT adverts FROM floor)
   AND count(DISTINCT l.employer) >= (SELECT employers FROM floor)
ORDER BY l.day, l.soc
