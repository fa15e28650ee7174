-- The sectors by code; that of 0 is "not known" and has no name.
SELECT code, sector, name FROM sectors ORDER BY code;
