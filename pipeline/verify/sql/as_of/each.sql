-- Every row has the date of the manifest: "Other data carries meta.as_of." Tables of people have the
-- last day that they describe.
SELECT file_row_number, format('as_of is {}, not {}', coalesce(as_of::VARCHAR, 'null'), describes('{table}'))
FROM {table}
WHERE as_of IS DISTINCT FROM describes('{table}')::DATE
