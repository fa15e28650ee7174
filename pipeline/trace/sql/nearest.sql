-- The value of a column that the fewest edits make of a given one, of several the first in the
-- alphabet, among the rows that have the part of the key before that column.
SELECT value FROM (SELECT DISTINCT coalesce({value}, '') AS value FROM {table} WHERE {key})
ORDER BY levenshtein(value, getvariable('{column}')), value
LIMIT 1
