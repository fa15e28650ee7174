-- The sources, as they stand next to figures.
SELECT key, publisher, licence, link, attribution_statement FROM sources ORDER BY key;
