-- A cell by skill names one of the register, at a level of the five.
SELECT file_row_number, format('skill "{}" at level {}: not in skills, or no level', skill, level)
FROM adverts
WHERE skill NOT IN (SELECT k.skill FROM skills k) OR level NOT BETWEEN 1 AND 5
