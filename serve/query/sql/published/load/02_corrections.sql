-- The operator's corrections of published figures that were applied.
CREATE TABLE corrections AS
SELECT source_key, record, old, new, reason, decided_on
FROM read_parquet(getvariable('tables') || '/corrections.parquet')
WHERE outcome = 'applied' AND kind = 'statistic' AND field = 'value'
ORDER BY record;
