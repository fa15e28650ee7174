-- Returns the number of rows of a table, and the sources that the rows name, separated by commas.
SELECT count(*), coalesce(string_agg(DISTINCT concat_ws(',', {sources}), ','), '')
FROM {table}
