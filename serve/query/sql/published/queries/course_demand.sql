-- The published figures on courses of one region, or of the nations, newest period first. A region
-- includes the areas that became part of it, each with its own figures and code.
SELECT source_key, metric, region_code, region_name, subject_area, subject_area = 'Total', period_end,
       printed(value, value_status), printed(previous_value, previous_value_status), change
FROM course_demand
WHERE country = $country::VARCHAR
  AND CASE WHEN $regions::VARCHAR = '' THEN region_code IN (SELECT code FROM nations())
           ELSE is_in(region_code, $regions::VARCHAR) END
  AND ($metric::VARCHAR = '' OR metric = $metric::VARCHAR)
  AND ($subject_area::VARCHAR = '' OR lower(subject_area) = lower($subject_area::VARCHAR))
ORDER BY period_end DESC, metric, region_code, subject_area, source_key
LIMIT $limit::BIGINT;
