-- The councils where each advert's work is, one row for each. A place name can mean several places.
-- Such an advert is placed in the one where its employer has other adverts. If there is none, or
-- more than one, it has no council.
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
