-- The level of a skill is the one that counted adverts of the longest window ask for most often; on a
-- tie, the lower one. If none asks for the skill, it is the reference level (snapshots/FORMAT.md,
-- skills.level).
WITH asked AS (
  SELECT skill, level, sum(adverts) AS adverts FROM adverts
  WHERE area_kind = 'all' AND is_recent(month)
  GROUP BY skill, level),
mode AS (SELECT skill, arg_max(level, 10 * adverts - level) AS level FROM asked GROUP BY skill)
SELECT s.file_row_number,
       format('{} is at level {}; adverts ask for level {}', s.skill, s.level, coalesce(m.level, s.reference_level))
FROM skills s LEFT JOIN mode m ON m.skill = s.skill
WHERE s.level <> coalesce(m.level, s.reference_level)
