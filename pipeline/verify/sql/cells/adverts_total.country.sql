-- The adverts of a place are not more than those of the whole country: "An advert in several
-- boroughs is in each borough's cells and once in the whole country's".
SELECT part.file_row_number,
       format('{} adverts in the place; the whole country has {}', part.adverts, coalesce(whole.adverts, 0))
FROM (FROM adverts_total WHERE area_kind IN ('borough', 'area')) part
LEFT JOIN (FROM adverts_total WHERE area_kind = 'all' AND place = '') whole USING (sector, soc, source, month)
WHERE part.adverts > coalesce(whole.adverts, 0)
