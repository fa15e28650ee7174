-- The sources by code, as they stand beside figures.
SELECT key, publisher, licence, link, attribution_statement FROM sources ORDER BY code;
