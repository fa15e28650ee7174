-- A cell names a place and a sector of the lists, or none: else it could not be named in an answer.
SELECT file_row_number,
       CASE WHEN place <> '' AND place NOT IN (SELECT p.place FROM places p)
         THEN format('place "{}" is not in places', place)
       ELSE format('sector "{}" is not in sectors', sector) END
FROM {table}
WHERE place <> '' AND place NOT IN (SELECT p.place FROM places p)
  OR sector <> '' AND sector NOT IN (SELECT s.sector FROM sectors s)
