-- A count of the platform's own people is rounded to 5, unless the manifest says protection plain
-- (snapshots/FORMAT.md, people_turned_down).
SELECT file_row_number, format('{column} is {}, which is not rounded to 5', {column})
FROM {table}
WHERE {column}_status = 'number' AND {column} >= 5 AND {column} % 5 <> 0
