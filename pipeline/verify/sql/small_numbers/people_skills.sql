-- A snapshot has no figures of people that the operator withdrew (snapshots/FORMAT.md,
-- people_withdrawn).
SELECT file_row_number, format('the figures of people of {} were withdrawn', {column})
FROM {table}
WHERE is_withdrawn({column})
