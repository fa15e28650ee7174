-- Counts the adverts of each list that ask for each skill, sorted by list. Skills are numbered in the
-- order of their slugs.
SELECT r.list, k.skill, r.adverts
FROM ranking r
JOIN skill k ON k.number = r.skill
ORDER BY r.list, r.skill
