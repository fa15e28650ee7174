-- The rows of an answer as faults, the first in a file first.
SELECT place, what
FROM (
{question}
) AS fault(place, what)
ORDER BY place, what LIMIT 1000
