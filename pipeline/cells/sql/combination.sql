-- The combinations of source, occupation group and sector that adverts are asked for by,
-- numbered from 0 in their order; empty = any.
SELECT source, soc, sector, (row_number() OVER (ORDER BY source, soc, sector) - 1)::INTEGER AS number
FROM (SELECT DISTINCT source, soc, sector FROM widened)
