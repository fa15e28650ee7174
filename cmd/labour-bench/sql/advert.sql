-- One row per advert and place. The cells name up to three different employers,
-- which the adverts of the cell have in turn, so that the floor holds as it does there.
SELECT t.area_kind, t.place, t.sector, t.soc, t.source, t.month,
       CASE r.range % 3 WHEN 1 THEN coalesce(t.employer_2, t.employer_1)
         WHEN 2 THEN coalesce(t.employer_3, t.employer_1)
                        ELSE t.employer_1 END AS employer
FROM read_parquet(getvariable('tables') || '/adverts_total.parquet') t, range(t.adverts) r
