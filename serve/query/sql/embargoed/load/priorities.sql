-- Occupations, sectors and skills that plans list as in demand, by area and plan.
CREATE TABLE embargoed_priorities AS
SELECT row_number() OVER (ORDER BY region_code, plan, kind, code) AS position, * EXCLUDE (as_of)
FROM read_parquet(getvariable('embargoed') || '/priorities.parquet')
ORDER BY position;
