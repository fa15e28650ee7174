-- Cells of adverts, and tables that are counted from adverts, name no source whose adverts are not
-- counted.
WITH named AS (SELECT DISTINCT {column} AS keys FROM {table}),
     one AS (SELECT keys, unnest(string_split(keys, ',')) AS source_named FROM named),
     excluded AS MATERIALIZED (FROM one WHERE source_named IN
       (SELECT key FROM sources
        WHERE NOT adverts_counted AND kind IN ('platform', 'employer_boards', 'apprenticeships')))
SELECT file_row_number, format('{column} "{}" is a source whose adverts are not counted', source_named)
FROM {table} JOIN excluded ON keys = {column}
