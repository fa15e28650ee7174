-- The vacancies whose place is known as a council only are some of all.
SELECT file_row_number,
       format('vacancies_placed_by_council is {} of {} vacancies', vacancies_placed_by_council, vacancies)
FROM reach
WHERE vacancies_placed_by_council NOT BETWEEN 0 AND vacancies
