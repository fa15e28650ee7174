-- The count of the same period one year before is the one that the row of that period prints, where
-- there is that row from the same source and both print a number.
SELECT now.file_row_number,
       format('previous_value is {}; the row of that period prints {}', now.previous_value, earlier.value)
FROM course_demand now
JOIN course_demand earlier USING (source_key, country, region_code, metric, subject_area)
WHERE earlier.period_end = (now.period_end - INTERVAL 1 YEAR)::DATE AND earlier.value <> now.previous_value
