-- The rows of an answer as faults, the first in a file first, with the number of all of them.
WITH fault(at, what) AS MATERIALIZED (
{question}
)
SELECT at, what, (SELECT count(*) FROM fault) FROM fault ORDER BY at, what LIMIT 1000
