-- The rows are in the order of the table, and no key occurs twice: a cell with two rows would be
-- counted twice, or printed twice. Texts are ordered by their bytes, and a null comes after every
-- value (snapshots/FORMAT.md, "Rows are in the order given for the table"). lag needs no sorting,
-- because DuckDB reads files in their order; a row that is read out of order is a fault.
SELECT file_row_number,
       CASE WHEN this = before THEN 'has the same key as the row before'
         ELSE 'comes before the row before in the order {sort}' END
FROM (SELECT file_row_number, row({sort}) AS this, lag(row({sort})) OVER () AS before,
             lag(file_row_number) OVER () AS row_before
      FROM {table})
WHERE this <= before OR row_before <> file_row_number - 1
