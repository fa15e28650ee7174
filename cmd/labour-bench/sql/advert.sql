-- One row per advert and place, made from the counts of the cells. A cell names up to three
-- different employers. Its adverts get them in turn, so that the floor of three employers gives the
-- same results.
SELECT t.area_kind, t.place, t.sector, t.soc, t.source, t.month,
       CASE r.range % 3 WHEN 1 THEN coalesce(t.employer_2, t.employer_1)
         WHEN 2 THEN coalesce(t.employer_3, t.employer_1)
                        ELSE t.employer_1 END AS employer
FROM read_parquet(getvariable('tables') || '/adverts_total.parquet') t, range(t.adverts) r
