-- An area is the whole country, a borough or a served area, and the whole country has no place.
SELECT file_row_number,
       CASE area_kind WHEN 'all' THEN 'area_kind all has a place'
         ELSE format('area_kind "{}" is unknown', area_kind) END
FROM adverts_total
WHERE area_kind NOT IN ('all', 'borough', 'area') OR area_kind = 'all' AND place <> ''
