-- The filters that every question has, then the occupation; what is counted is in
-- the index, so that no row need be fetched for it. PostgreSQL must not write what it
-- has in memory while it is measured.
CREATE INDEX ON advert (place, soc, month) INCLUDE (sector, employer);
CREATE INDEX ON advert (place, sector, month) INCLUDE (soc, employer);
CREATE INDEX ON asked (place, soc, month) INCLUDE (sector, skill, level);
CREATE INDEX ON asked (place, sector, month) INCLUDE (soc, skill, level);
VACUUM (ANALYZE) advert;
VACUUM (ANALYZE) asked;
CHECKPOINT
