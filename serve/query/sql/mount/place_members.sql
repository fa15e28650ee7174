-- The boroughs of each place; a borough is that of its own.
SELECT place, borough FROM place_members ORDER BY place, borough;
