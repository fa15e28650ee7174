-- What a snapshot prints of people, added up: residents, those with a skill on record, people
-- turned down for a skill over all skills, and how many shares of hired and of turned-down
-- applicants there are. They are sums of printed values, and tell nothing that those do not.
SELECT coalesce((SELECT sum(residents) FROM candidates WHERE dimension = 'all'), 0)::BIGINT,
       coalesce((SELECT sum(residents) FROM candidates WHERE dimension = 'level'), 0)::BIGINT,
       coalesce(sum(people_turned_down) FILTER (signature = 'none'), 0)::BIGINT,
       count(hired_with_skill_pct), count(turned_down_with_skill_pct)
FROM people
