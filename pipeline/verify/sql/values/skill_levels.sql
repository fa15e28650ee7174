-- A skill has five levels: "level: 1 to 5" (snapshots/FORMAT.md).
SELECT file_row_number, format('{column} is {}, which is no level from 1 to 5', {column})
FROM {table}
WHERE {column} NOT BETWEEN 1 AND 5
