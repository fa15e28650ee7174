-- What a cell names has a number in rollup_codes: what roll-ups leave out is in no answer.
WITH named AS (
  SELECT DISTINCT 'place' AS dimension, place AS value FROM adverts_total UNION ALL SELECT DISTINCT 'sector', sector FROM adverts_total
  UNION ALL SELECT DISTINCT 'source', source FROM adverts_total),
unknown AS MATERIALIZED (FROM named ANTI JOIN rollup_codes USING (dimension, value))
SELECT file_row_number, format('{} "{}" has no number in rollup_codes', dimension, value)
FROM adverts_total JOIN unknown ON value = CASE dimension WHEN 'place' THEN place WHEN 'sector' THEN sector ELSE source END
WHERE months_back(month) BETWEEN 0 AND 23
