-- Compares the printed shares of two snapshots for the whole platform, skill by skill: of the hired
-- and the turned-down applicants who had the skill, and of the residents below the level that the
-- new snapshot shows. The shares of fewer than 100 residents are not compared: rounding changes all
-- of them at once. Each row is one kind of share: how many skills have it in both snapshots, the mean
-- change in percentage points, and how many shares have become 0 or 100. A share of few residents is
-- never printed as 100: one that was nearly 100 then, and is 100 now, has not become it.
WITH totals AS (
    FROM candidates_before WHERE dimension = 'all'
    UNION ALL
    FROM candidates_now WHERE dimension = 'all'
), compared AS (
    SELECT 'hired' AS kind, b.hired_with_skill_pct AS before, n.hired_with_skill_pct AS now, false AS was_nearly_all
    FROM people_before b JOIN people_now n USING (signature, skill)
    WHERE signature = 'none'
    UNION ALL
    SELECT 'turned_down', b.turned_down_with_skill_pct, n.turned_down_with_skill_pct, false
    FROM people_before b JOIN people_now n USING (signature, skill)
    WHERE signature = 'none'
    UNION ALL
    SELECT 'below', b.people_below_share_pct, n.people_below_share_pct,
           b.people_below_share_pct >= getvariable('nearly_all')::BIGINT
             AND (FROM candidates_before SELECT residents WHERE dimension = 'all')
                 < getvariable('smallest_base_of_all')::BIGINT
    FROM residents_before b JOIN residents_now n USING (place, skill, level) JOIN skills USING (skill, level)
    WHERE place = '' AND (SELECT min(residents) FROM totals) >= 100
)
SELECT kind, count(*), avg(abs(now - before))::DOUBLE,
       count(*) FILTER (now = 0 AND before > 0 OR now = 100 AND before < 100 AND NOT was_nearly_all)
FROM compared
WHERE before IS NOT NULL AND now IS NOT NULL
GROUP BY kind
ORDER BY kind
