-- Every outline belongs to a borough of the snapshot and has its code.
SELECT file_row_number, format('"{}" with the code "{}" is no borough of the table places', place, code)
FROM outlines
ANTI JOIN (FROM places WHERE area_kind = 'borough') USING (place, code)
