-- The vacancies for which only the council is known are not more than all vacancies.
SELECT file_row_number,
       format('vacancies_placed_by_council is {} of {} vacancies', vacancies_placed_by_council, vacancies)
FROM reach
WHERE vacancies_placed_by_council NOT BETWEEN 0 AND vacancies
