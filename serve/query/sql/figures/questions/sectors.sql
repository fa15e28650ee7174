-- The sectors.
SELECT sector, name, '', '', '' FROM sectors ORDER BY sector;
