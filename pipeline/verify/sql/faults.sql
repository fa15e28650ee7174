-- The rows of an answer as faults, the first in a file first, with the number of all of them.
WITH fault(place, what) AS MATERIALIZED (
{question}
)
SELECT place, what, (SELECT count(*) FROM fault) FROM fault ORDER BY place, what LIMIT 1000
