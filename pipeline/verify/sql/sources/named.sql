-- Every column of sources names only sources of the sources table, so that their licences and
-- attributions can be shown. Only two columns may be empty: pointing_sources of skills_gaps, and
-- source of lists, where it means all.
WITH named AS (SELECT DISTINCT {column} AS keys FROM {table}),
     one AS (SELECT keys, unnest(string_split(keys, ',')) AS source_named FROM named WHERE keys <> ''
             OR '{table}.{column}' NOT IN ('skills_gaps.pointing_sources', 'lists.source')),
     unknown AS MATERIALIZED (FROM one WHERE source_named NOT IN (SELECT key FROM sources))
SELECT file_row_number, format('{column} "{}" is not in the sources table', source_named)
FROM {table} JOIN unknown ON keys = {column}
