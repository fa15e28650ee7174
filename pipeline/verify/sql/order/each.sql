-- The rows are in the order of the table, and no key is there twice: a cell with two rows would be
-- counted twice, or printed twice. Texts are ordered by their bytes; a null comes after every value
-- (snapshots/FORMAT.md, order of rows).
SELECT file_row_number, CASE WHEN this = before THEN 'has the same key as the row before' ELSE 'comes before the row before in the order {sort}' END
FROM (SELECT file_row_number, row({sort}) AS this, lag(row({sort})) OVER (ORDER BY file_row_number) AS before FROM {table})
WHERE this <= before
