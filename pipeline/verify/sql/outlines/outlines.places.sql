-- An outline is of a borough that the snapshot lists, under the code that it has there.
SELECT file_row_number, format('"{}" with the code "{}" is no borough of the table places', place, code)
FROM outlines
ANTI JOIN (FROM places WHERE area_kind = 'borough') USING (place, code)
