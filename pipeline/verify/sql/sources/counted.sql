-- No cell of adverts, and nothing that is counted from adverts, is from a source whose adverts are
-- not counted.
WITH named AS (SELECT DISTINCT {column} AS keys FROM {table}),
     one AS (SELECT keys, unnest(string_split(keys, ',')) AS name FROM named)
SELECT file_row_number, format('{column} "{}" is a source whose adverts are not counted', name)
FROM {table} JOIN one ON keys = {column}
WHERE name IN (SELECT key FROM sources WHERE NOT adverts_counted AND kind IN ('platform', 'employer_boards', 'apprenticeships'))
