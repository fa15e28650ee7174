-- A cell by skill names a skill of the register and one of the five levels.
SELECT file_row_number, format('skill "{}" at level {}: not in skills, or no level', skill, level)
FROM adverts
WHERE skill NOT IN (SELECT k.skill FROM skills k) OR level NOT BETWEEN 1 AND 5
