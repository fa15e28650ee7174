-- The adverts that ask for a skill are not more than all adverts of the same cell.
SELECT asked.file_row_number,
       format('{} adverts ask for the skill; adverts_total has {} in the cell', asked.adverts,
              coalesce(whole.adverts, 0))
FROM adverts asked
LEFT JOIN adverts_total whole USING (area_kind, place, sector, soc, source, month)
WHERE asked.adverts > coalesce(whole.adverts, 0)
