-- Every receivable source, with licence, cadence and freshness.
SELECT key, key, publisher, title, kind, licence, link, attribution_statement, cadence, last_success_at, false, adverts_counted, rows
FROM sources
ORDER BY key;
