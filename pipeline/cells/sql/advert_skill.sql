-- The skills that each advert asks for, with their levels. If the advert states no level (0), the
-- usual level of the skill is used.
SELECT s.ordinal, s.skill, CASE WHEN s.level = 0 THEN k.level ELSE s.level END AS level
FROM staged_advert_skills s
JOIN skill k ON k.number = s.skill
