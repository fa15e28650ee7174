-- The published careers pathways.
SELECT id, slug, title, summary, sector, updated_on FROM pathways ORDER BY slug, id;
