-- The rows of the rankings in the order of skills.
SELECT list, skill, adverts FROM rankings ORDER BY skill, list
