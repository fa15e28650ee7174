-- Each index begins with the columns that all queries filter by, then the occupation or sector. It
-- includes the counted columns, so that PostgreSQL reads no table rows. CHECKPOINT writes all
-- changes to disk before the measurement.
CREATE INDEX ON advert (place, soc, month) INCLUDE (sector, employer);
CREATE INDEX ON advert (place, sector, month) INCLUDE (soc, employer);
CREATE INDEX ON asked (place, soc, month) INCLUDE (sector, skill, level);
CREATE INDEX ON asked (place, sector, month) INCLUDE (soc, skill, level);
VACUUM (ANALYZE) advert;
VACUUM (ANALYZE) asked;
CHECKPOINT
