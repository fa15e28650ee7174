-- The published careers pathways.
SELECT id, slug, title, summary, sector, steps, standards, updated_on FROM answered_pathways ORDER BY slug, id;
