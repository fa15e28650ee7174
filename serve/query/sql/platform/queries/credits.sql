-- The sources with the texts that are shown next to figures.
SELECT key, publisher, licence, link, attribution_statement FROM sources ORDER BY key;
