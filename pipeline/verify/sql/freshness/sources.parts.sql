-- Every source that is listed has at least one part in the table freshness.
SELECT file_row_number, format('source "{}" has no row in the table freshness', key)
FROM sources WHERE key NOT IN (SELECT source_key FROM freshness)
