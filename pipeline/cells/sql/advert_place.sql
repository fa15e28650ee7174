-- The councils of adverts, one row each. If a place name stands for several places, the advert is in
-- the only one of them in which the employer has other adverts, otherwise in none.
WITH doubtful AS (
  SELECT p.ordinal, p.code, a.employer
  FROM staged_advert_places p JOIN staged_adverts a ON a.ordinal = p.ordinal
  WHERE NOT p.sure AND a.employer <> ''),
elsewhere AS (
  SELECT DISTINCT a.employer, p.code
  FROM staged_advert_places p JOIN staged_adverts a ON a.ordinal = p.ordinal
  WHERE p.sure AND a.employer IN (SELECT employer FROM doubtful))
SELECT ordinal, code FROM staged_advert_places WHERE sure
UNION ALL
SELECT d.ordinal, min(d.code)
FROM doubtful d JOIN elsewhere e ON e.employer = d.employer AND e.code = d.code
GROUP BY d.ordinal HAVING count(DISTINCT d.code) = 1
