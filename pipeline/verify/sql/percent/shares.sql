-- A share is between 0 and 100 %. A change or a projection may be anything.
SELECT file_row_number, format('{column} is {} %', {column}::VARCHAR)
FROM {table}
WHERE {column} NOT BETWEEN 0 AND 100
