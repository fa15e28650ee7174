-- The sectors.
SELECT sector, name, '', '', '', 0 FROM sectors ORDER BY sector;
