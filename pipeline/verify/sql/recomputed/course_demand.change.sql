-- The change from the year before is computed from the two printed counts: "null when either is not a
-- number or the previous one is 0".
SELECT file_row_number, CASE
    WHEN wanted IS NULL THEN format('change_pct is {}; there is nothing to compute it from', change_pct::VARCHAR)
    ELSE format('change_pct is {}; the printed values give {}', coalesce(change_pct::VARCHAR, 'null'),
                wanted::VARCHAR) END
FROM (SELECT file_row_number, change_pct, change_of(value, previous_value) AS wanted FROM course_demand)
WHERE change_pct IS DISTINCT FROM wanted
