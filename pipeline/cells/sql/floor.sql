-- The floor: the smallest numbers of adverts and of employers for which figures are shown. The
-- specification: "If fewer than 5 adverts, or fewer than 3 employers, remain".
SELECT 5 AS adverts, 3 AS employers
