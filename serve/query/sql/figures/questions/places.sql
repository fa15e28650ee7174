-- What place may name.
SELECT place, name, area_kind, council, '', 0 FROM places ORDER BY place;
