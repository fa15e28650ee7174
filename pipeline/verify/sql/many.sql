-- Counts the rows that a check found.
SELECT count(*) FROM ({query})
