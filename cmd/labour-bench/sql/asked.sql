-- One row per advert, place and skill that it asks for, out of the counts of the
-- cells: what a table of adverts joined with its places and skills would hold.
SELECT a.area_kind, a.place, a.skill, a.level::INTEGER AS level, a.sector, a.soc, a.source, a.month
FROM read_parquet(getvariable('tables') || '/adverts.parquet') a, range(a.adverts) r
