-- The operator's corrections of published figures. has_figures: figures are published under the
-- very area code that the correction names.
SELECT source_key, record, old, new, reason, decided_on,
       EXISTS (SELECT 1 FROM course_demand c WHERE c.region_code = split_part(record, ' ', 2)) AS has_figures
FROM corrections ORDER BY record;
