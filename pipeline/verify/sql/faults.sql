-- Returns the rows that a check found, sorted by their place in the file.
SELECT place, what
FROM (
{query}
) AS fault(place, what)
ORDER BY place, what LIMIT 1000
