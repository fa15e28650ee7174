-- Residents at each level of a skill, by borough.
SELECT borough, s.skill AS skill, s.level AS level, count(*) AS residents
FROM (SELECT borough, unnest(skills) AS s FROM resident)
GROUP BY ALL
ORDER BY ALL
