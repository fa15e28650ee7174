-- The skills that adverts ask for, each at the level that the advert states; one that states
-- none means the usual level of the skill.
SELECT s.ordinal, s.skill, CASE WHEN s.level = 0 THEN k.level ELSE s.level END AS level
FROM staged_advert_skills s
JOIN skill k ON k.number = s.skill
