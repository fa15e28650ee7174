-- The skills.
SELECT skill, name, kind, '', wordings FROM skills ORDER BY skill;
