-- What a cell by skill names has a number in rollup_codes: what roll-ups leave out is in no answer.
SELECT file_row_number, format('{} "{}" has no number in rollup_codes', dimension, value)
FROM (UNPIVOT (SELECT file_row_number, place, sector, source, skill FROM adverts WHERE months_back(month) BETWEEN 0 AND 23)
      ON place, sector, source, skill INTO NAME dimension VALUE value)
ANTI JOIN rollup_codes USING (dimension, value)
