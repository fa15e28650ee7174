-- Live vacancies per day and unit group in the 365 days up to as_of: vacancies of sources
-- that may be in the dataset. "If fewer than 5 adverts, or fewer than 3 employers, remain",
-- there is no figure. A vacancy is live from the day on which it was posted to its closing day.
-- Without a closing day it is live to the last day on which its source showed it, which is how
-- /v1/jobs understands it too. Days before a source was first fetched hold what it still showed then.
WITH live AS (
  SELECT v.soc, v.source_key, v.employer::BIGINT AS employer,
         unnest(generate_series(greatest(v.posted, getvariable('as_of') - 364), least(v.until, getvariable('as_of')), INTERVAL 1 DAY))::DATE AS day
  FROM shared v JOIN shown s ON s.dataset = 'demand' AND s.source_key = v.source_key
  WHERE length(v.soc) = 4),
counted AS (
  SELECT day, soc, source_key, count(*) AS vacancies, min(employer) AS low, max(employer) AS high, sum(employer) AS numbers, sum(employer * employer) AS squares
  FROM live GROUP BY day, soc, source_key)
-- Of employers' numbers n, the sum of (n - low) * (high - n) is above 0 exactly if a third lies between.
SELECT c.day, c.soc, coalesce(o.name, '') AS occupation, sum(c.vacancies)::INTEGER AS vacancies, string_agg(c.source_key, ',' ORDER BY c.source_key) AS source_keys
FROM counted c LEFT JOIN occupations o ON o.soc = c.soc
GROUP BY c.day, c.soc, o.name
HAVING sum(c.vacancies) >= 5 AND (min(c.low) + max(c.high)) * sum(c.numbers) - sum(c.squares) > sum(c.vacancies) * min(c.low) * max(c.high)
ORDER BY c.day, c.soc
