-- One row per advert, place and skill, made from the counts of the cells. A table of adverts joined
-- with its places and skills would have the same rows.
SELECT a.area_kind, a.place, a.skill, a.level::INTEGER AS level, a.sector, a.soc, a.source, a.month
FROM read_parquet(getvariable('tables') || '/adverts.parquet') a, range(a.adverts) r
