-- Every row says the date that the manifest says: "Other data carries meta.as_of."
SELECT file_row_number, format('as_of is {}, not {}', coalesce(as_of::VARCHAR, 'null'), getvariable('as_of'))
FROM {table}
WHERE as_of IS DISTINCT FROM getvariable('as_of')::DATE
