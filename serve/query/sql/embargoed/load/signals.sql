-- Summaries of news, the newest first.
CREATE TABLE embargoed_signals AS
SELECT row_number() OVER (ORDER BY published_on DESC, id DESC) AS position, * EXCLUDE (as_of)
FROM read_parquet(getvariable('embargoed') || '/signals.parquet')
ORDER BY position;
