-- The advert part of skills-unmet, from row-level tables: for each skill the number of matching
-- adverts that ask for it, the number of all matching adverts, and the level that is asked for most
-- often. $1 place, $2 SOC prefix ('' for any), $3 sector ('' for any), $4 first month.
WITH matching AS (
  SELECT count(*) AS adverts, count(DISTINCT employer) AS employers
  FROM advert
  WHERE place = $1 AND starts_with(soc, $2) AND ($3 = '' OR sector = $3) AND month >= $4),
by_level AS (
  SELECT skill, level, count(*) AS adverts
  FROM asked
  WHERE place = $1 AND starts_with(soc, $2) AND ($3 = '' OR sector = $3) AND month >= $4
  GROUP BY skill, level),
ranked AS (
  SELECT skill, level, sum(adverts) OVER (PARTITION BY skill) AS adverts,
         row_number() OVER (PARTITION BY skill ORDER BY level = 0, adverts DESC, level) AS choice
  FROM by_level)
SELECT r.skill, CAST(r.adverts AS BIGINT) AS adverts, m.adverts AS matching, r.level
FROM ranked r CROSS JOIN matching m
WHERE r.choice = 1 AND m.adverts >= 5 AND m.employers >= 3
ORDER BY r.adverts DESC, r.skill
