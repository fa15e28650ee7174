-- Every receivable source, with licence and cadence. How fresh it is, is worked out of its parts.
SELECT key, key, publisher, title, kind, licence, link, attribution_statement, cadence, NULL::TIMESTAMP, false, 0, 0,
       adverts_counted, rows
FROM sources
ORDER BY key;
