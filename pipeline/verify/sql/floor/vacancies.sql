-- An embargoed dataset has no count of vacancies below the floor: "If fewer than 5 adverts, or
-- fewer than 3 employers, remain", there is no row. The files do not have the employers, so these
-- cannot be counted here.
SELECT file_row_number, format('{column} is {}; under 5 there is no row', {column})
FROM {table}
WHERE {column} < 5
