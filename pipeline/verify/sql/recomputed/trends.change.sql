-- The change on the window 364 days earlier is computed from the two counts of vacancies.
SELECT file_row_number,
       format('change_pct is {}; the printed values give {}', change_pct::VARCHAR,
              coalesce(wanted::VARCHAR, 'nothing to compute it from'))
FROM (SELECT file_row_number, change_pct, change_of(vacancies, previous_vacancies) AS wanted FROM trends)
WHERE change_pct IS DISTINCT FROM wanted
