-- The skills.
SELECT skill, name, kind, '', wordings, level FROM skills ORDER BY skill;
