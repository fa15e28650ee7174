-- The place and the sector of a cell are in the tables of places and sectors, or empty. The API
-- could not name any other.
SELECT file_row_number,
       CASE WHEN place <> '' AND place NOT IN (SELECT p.place FROM places p)
         THEN format('place "{}" is not in places', place)
       ELSE format('sector "{}" is not in sectors', sector) END
FROM {table}
WHERE place <> '' AND place NOT IN (SELECT p.place FROM places p)
  OR sector <> '' AND sector NOT IN (SELECT s.sector FROM sectors s)
