-- A live job does not close before the date of the snapshot: "last day to apply, on or after as_of"
-- (snapshots/FORMAT.md, jobs).
SELECT file_row_number, format('closes_on is {}, before as_of', closes_on::VARCHAR)
FROM jobs
WHERE closes_on < getvariable('as_of')::DATE
