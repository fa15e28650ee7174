-- The rows of the rankings, sorted by skill. Skills are numbered in the order of their slugs.
SELECT r.list, k.skill, r.adverts
FROM ranking r
JOIN skill k ON k.number = r.skill
ORDER BY r.skill, r.list
