-- The previous value is the value in the row of the period one year before, if there is such a row
-- from the same source and both values are numbers.
SELECT now.file_row_number,
       format('previous_value is {}; the row of that period prints {}', now.previous_value, earlier.value)
FROM course_demand now
JOIN course_demand earlier USING (source_key, country, region_code, metric, subject_area)
WHERE earlier.period_end = (now.period_end - INTERVAL 1 YEAR)::DATE AND earlier.value <> now.previous_value
