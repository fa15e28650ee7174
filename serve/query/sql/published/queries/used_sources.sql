-- The sources of published figures.
SELECT DISTINCT 'course_demand' AS name, source_key FROM course_demand
UNION SELECT 'skills_gaps', source_key FROM skills_gaps
UNION SELECT 'evidence', source_key FROM evidence
UNION SELECT 'regions', source_key FROM regions
ORDER BY ALL;
