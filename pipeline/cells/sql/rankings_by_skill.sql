-- The rows of the rankings, sorted by skill.
SELECT list, skill, adverts FROM rankings ORDER BY skill, list
