-- How many outcomes each skill of the register has, to deal the skills out.
SELECT k.skill, count(o.skill) AS outcomes
FROM skill k LEFT JOIN staged_outcome_skills o ON o.skill = k.skill
GROUP BY k.skill ORDER BY k.skill
