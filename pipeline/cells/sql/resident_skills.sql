-- The skills that residents have on record, each at its highest level. The rows are never published
-- (protected zone).
SELECT k.skill, s.resident AS person, max(s.level)::TINYINT AS level
FROM staged_resident_skills s JOIN skill k ON k.number = s.skill
GROUP BY k.skill, s.resident
ORDER BY k.skill, person
