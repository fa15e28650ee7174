-- For each skill, the level that adverts of the longest window ask for most often; on a tie, the
-- lower one. Skills that none of them asks for are left out.
WITH asked AS (
  SELECT s.skill, s.level, count(*) AS adverts
  FROM advert_skill s
  JOIN vacancy v ON v.ordinal = s.ordinal
  CROSS JOIN run r
  WHERE v.readable AND v.month >= r.recent AND r.month >= 12 * year(v.month) + month(v.month)
  GROUP BY s.skill, s.level),
ranked AS (
  SELECT skill, level, row_number() OVER (PARTITION BY skill ORDER BY adverts DESC, level) AS nth
  FROM asked)
SELECT k.skill, r.level::TINYINT AS level
FROM ranked r
JOIN skill k ON k.number = r.skill
WHERE r.nth = 1
ORDER BY k.skill
