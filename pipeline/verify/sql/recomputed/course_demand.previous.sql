-- A previous value is that of the period one year before, which has a row.
WITH later AS (
  SELECT file_row_number, country, region_code, metric, subject_area, (period_end - INTERVAL 1 YEAR)::DATE AS period_end
  FROM course_demand
  WHERE previous_value_status <> '')
SELECT file_row_number, format('has a previous value, and the period to {} has no row', period_end::VARCHAR)
FROM later
ANTI JOIN course_demand USING (country, region_code, metric, subject_area, period_end)
