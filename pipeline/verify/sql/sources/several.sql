-- Several sources in one column are sorted, and none is named twice (snapshots/FORMAT.md,
-- source_keys).
WITH named AS (SELECT DISTINCT {column} AS keys, string_split({column}, ',') AS listed FROM {table}),
     unsorted AS MATERIALIZED (SELECT keys FROM named WHERE listed <> list_sort(list_distinct(listed)))
SELECT file_row_number, format('{column} "{}" is not sorted, or names a source twice', keys)
FROM {table} JOIN unsorted ON keys = {column}
