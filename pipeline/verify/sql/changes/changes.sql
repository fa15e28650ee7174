-- A row of changes.parquet has a known table, change and reason, and old and new values that fit
-- the change (snapshots/FORMAT.md, changes.parquet). Snapshots of earlier editions have the reasons
-- suppression and correction.
SELECT file_row_number, CASE
    WHEN "table" < before THEN format('table "{}" comes after "{}"', "table", before)
    WHEN "table" NOT IN (SELECT unnest(string_split(getvariable('tables'), ',')))
      THEN format('table "{}" is unknown', "table")
    WHEN change NOT IN ('added', 'removed', 'changed')
      OR reason NOT IN ('withdrawal', 'suppression', 'new_period', 'source_revision', 'correction', 'method')
      THEN format('change "{}" for the reason "{}" is unknown', change, reason)
    WHEN keys < 0 OR key IS NOT NULL AND keys <> 1 THEN format('has {} in the column keys', keys)
    WHEN (old IS NULL) <> (key IS NULL OR change = 'added') OR (new IS NULL) <> (key IS NULL OR change = 'removed')
      THEN format('has old and new values that are not those of a key that was {}', change) END AS what
FROM (SELECT *, lag("table") OVER (ORDER BY file_row_number) AS before FROM changes)
WHERE what IS NOT NULL
