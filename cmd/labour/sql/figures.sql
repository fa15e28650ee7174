-- Counts the figures about people of each endpoint, by field and place: how many are numbers, how
-- many are "<5", and how many are not published.
WITH figure(endpoint, field, place, status) AS (
  SELECT 'skills-unmet', field, place, status
  FROM (UNPIVOT (SELECT place, people_turned_down_status AS people_turned_down,
                        if(hired_with_skill_pct IS NULL, '', 'number') AS hired_with_skill_pct,
                        if(turned_down_with_skill_pct IS NULL, '', 'number') AS turned_down_with_skill_pct FROM people)
        ON COLUMNS(* EXCLUDE place) INTO NAME field VALUE status)
  UNION ALL SELECT 'skills-unmet', 'people_below_share_pct', place, if(people_below_share_pct IS NULL, '', 'number')
  FROM residents
  UNION ALL SELECT 'candidates', 'residents', if(dimension = 'borough', value, ''), residents_status FROM candidates
  UNION ALL SELECT 's106', replace(field, '_status', ''), place, status
  FROM (UNPIVOT (SELECT place, COLUMNS('_status$') FROM s106_people)
        ON COLUMNS(* EXCLUDE place) INTO NAME field VALUE status)
  UNION ALL SELECT 'course-demand', 'value', region_code, value_status FROM course_demand)
SELECT endpoint, field, place, count(*) FILTER (status = 'number'), count(*) FILTER (status = 'under_5'),
       count(*) FILTER (status NOT IN ('number', 'under_5'))
FROM figure
GROUP BY ALL
ORDER BY ALL
