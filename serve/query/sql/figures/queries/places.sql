-- The values of the parameter place.
SELECT place, name, area_kind, council, '', 0 FROM places ORDER BY place;
