-- Numbers the combinations of source, occupation group and sector that adverts can be filtered by,
-- from 0. Empty = any.
SELECT source, soc, sector, (row_number() OVER (ORDER BY source, soc, sector) - 1)::INTEGER AS number
FROM (SELECT DISTINCT source, soc, sector FROM profile_filter)
