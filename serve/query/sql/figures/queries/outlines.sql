-- The outlines of the boroughs.
SELECT place, outline, source_key FROM outlines ORDER BY place;
