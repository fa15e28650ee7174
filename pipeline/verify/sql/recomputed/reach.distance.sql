-- Of the distances of a ward "a longer one includes the shorter".
SELECT file_row_number, format('vacancies is {}; within a shorter distance there are {}', vacancies, fewer)
FROM (SELECT file_row_number, vacancies,
             lag(vacancies) OVER (PARTITION BY ward_code ORDER BY within_km, file_row_number) AS fewer
      FROM reach)
WHERE vacancies < fewer
