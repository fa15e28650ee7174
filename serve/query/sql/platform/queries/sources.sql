-- All receivable sources, with licence and cadence. Their freshness is computed later, from the
-- table freshness.
SELECT key, key, publisher, title, kind, licence, link, attribution_statement, cadence, NULL::TIMESTAMP, false, 0, 0,
       adverts_counted, rows, NULL::TIMESTAMP
FROM sources
ORDER BY key;
