-- What the roll-ups are made of in a snapshot that has none. One of version 1 does not
-- say how exactly places are known.
CREATE TEMP VIEW adverts AS FROM read_parquet(getvariable('tables') || '/adverts.parquet');
CREATE TEMP VIEW adverts_total AS
SELECT NULL::INTEGER AS in_council, NULL::INTEGER AS in_area WHERE false
UNION ALL BY NAME FROM read_parquet(getvariable('tables') || '/adverts_total.parquet');
