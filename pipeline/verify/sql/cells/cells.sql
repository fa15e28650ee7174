-- A cell has at least one advert, of a month that begins on its first day.
SELECT file_row_number,
       CASE WHEN adverts < 1 THEN format('adverts is {}', adverts)
         ELSE format('month is {}, not the first day of one', month::VARCHAR) END
FROM {table}
WHERE adverts < 1 OR day(month) <> 1
