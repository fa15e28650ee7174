-- A column has only the values that snapshots/FORMAT.md states for it.
SELECT file_row_number, format('{column} is "{}"; it can only be one of: {words}', {column}::VARCHAR)
FROM {table}
WHERE NOT list_contains(string_split('{words}', ','), {column}::VARCHAR)
