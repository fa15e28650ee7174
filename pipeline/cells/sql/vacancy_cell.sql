-- The cells of each counted vacancy. A vacancy that does not state its skills (not readable) is in
-- none.
SELECT v.ordinal, g.site, p.number AS profile, v.employer, v.placed
FROM vacancy v
JOIN profile p ON p.sector = v.sector AND p.soc = v.soc AND p.source = v.source AND p.month = v.month
JOIN vacancy_site g ON g.ordinal = v.ordinal
WHERE v.readable
