-- Adds up the printed values about people in a snapshot: residents, residents with a skill on
-- record, people turned down over all skills, and the numbers of shares of hired and of turned-down
-- applicants. Sums of printed values disclose no more than the values. The variable
-- withdrawn_skills has the skills that are left out, separated by spaces.
WITH compared AS (
    FROM people
    WHERE NOT list_contains(string_split(getvariable('withdrawn_skills'), ' '), skill)
)
SELECT coalesce((SELECT sum(residents) FROM candidates WHERE dimension = 'all'), 0)::BIGINT,
       coalesce((SELECT sum(residents) FROM candidates WHERE dimension = 'level'), 0)::BIGINT,
       coalesce(sum(people_turned_down) FILTER (signature = 'none'), 0)::BIGINT,
       count(hired_with_skill_pct), count(turned_down_with_skill_pct)
FROM compared
