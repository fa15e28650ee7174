-- A day is "one of the 365 up to as_of" (snapshots/FORMAT.md, demand).
SELECT file_row_number, format('day is {}, not one of the 365 up to as_of', day::VARCHAR)
FROM demand
WHERE day NOT BETWEEN getvariable('as_of')::DATE - 364 AND getvariable('as_of')::DATE
