-- Counts the adverts that ask for each skill, per cell. There are millions of cells, so each is
-- grouped and sorted as one number: the site from bit 48, the skill from bit 34, the level from bit
-- 31, then the profile. The names are joined at the end.
WITH cell AS (
  SELECT (v.site::BIGINT << 48) | (s.skill::BIGINT << 34) | (s.level::BIGINT << 31) | v.profile AS number,
         count(*)::INTEGER AS adverts
  FROM advert_skill s
  JOIN vacancy_cell v ON v.ordinal = s.ordinal
  GROUP BY 1)
SELECT k.skill, ((c.number >> 31) & 7)::TINYINT AS level, t.area_kind, t.place, p.sector, p.soc, p.source, p.month,
       c.adverts
FROM cell c
JOIN skill k ON k.number = (c.number >> 34) & 16383
JOIN site t ON t.number = c.number >> 48
JOIN profile p ON p.number = c.number & 2147483647
ORDER BY c.number
