-- Adds up the printed values about people in a snapshot: residents, residents with a skill on
-- record, residents by their highest level, the number of shares of residents, people turned down
-- over all skills, and the numbers of shares of hired and of turned-down applicants. Sums of printed
-- values disclose no more than the values. The variable withdrawn_skills has the skills that are
-- left out, separated by spaces.
WITH withdrawn AS (
    SELECT unnest(string_split(getvariable('withdrawn_skills'), ' ')) AS skill
), groups AS (
    SELECT coalesce(sum(residents) FILTER (dimension = 'all'), 0)::BIGINT,
           coalesce(sum(residents) FILTER (dimension = 'level'), 0)::BIGINT,
           coalesce(sum(residents) FILTER (dimension = 'level' AND value = '1'), 0)::BIGINT,
           coalesce(sum(residents) FILTER (dimension = 'level' AND value = '2'), 0)::BIGINT,
           coalesce(sum(residents) FILTER (dimension = 'level' AND value = '3'), 0)::BIGINT,
           coalesce(sum(residents) FILTER (dimension = 'level' AND value = '4'), 0)::BIGINT,
           coalesce(sum(residents) FILTER (dimension = 'level' AND value = '5'), 0)::BIGINT
    FROM candidates
), below AS (
    SELECT count(people_below_share_pct)
    FROM residents ANTI JOIN withdrawn USING (skill)
), applicants AS (
    SELECT coalesce(sum(people_turned_down) FILTER (signature = 'none'), 0)::BIGINT,
           count(hired_with_skill_pct), count(turned_down_with_skill_pct)
    FROM people ANTI JOIN withdrawn USING (skill)
)
FROM groups, below, applicants
