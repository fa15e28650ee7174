-- Every source has a licence, a publisher and the text that must be displayed with its figures.
SELECT file_row_number, format('{} is empty', field)
FROM (UNPIVOT (SELECT file_row_number, attribution_statement, licence, publisher FROM sources)
      ON attribution_statement, licence, publisher INTO NAME field VALUE written)
WHERE regexp_full_match(written, '[\s\pZ]*')
