-- The floor: figures of adverts are shown from so many adverts, of so many employers, on. The
-- specification says: "If fewer than 5 adverts, or fewer than 3 employers, remain".
SELECT 5 AS adverts, 3 AS employers
