-- Counted adverts that ask for a skill, per cell, as numbers of a site, a skill and a
-- profile, in the order of all of them. Millions of cells are grouped and put in order
-- as one number each: the site from bit 48, the skill from 34, the level from 31, and
-- the profile.
WITH cell AS (
  SELECT (v.site::BIGINT << 48) | (s.skill::BIGINT << 34) | (s.level::BIGINT << 31) | v.profile AS number, count(*)::INTEGER AS adverts
  FROM staged_advert_skills s
  JOIN vacancy_cell v USING (ordinal)
  GROUP BY 1)
SELECT (number >> 48)::SMALLINT AS site, ((number >> 34) & 16383)::SMALLINT AS skill, ((number >> 31) & 7)::TINYINT AS level,
       (number & 2147483647)::INTEGER AS profile, adverts
FROM cell
ORDER BY number
