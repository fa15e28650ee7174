-- What place may name.
SELECT place, name, area_kind, council, '' FROM places ORDER BY place;
