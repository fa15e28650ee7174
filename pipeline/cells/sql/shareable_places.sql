-- The places of live vacancies that may be shared: points, or codes of councils.
SELECT DISTINCT v.applied_as AS vacancy, p.code, p.latitude, p.longitude
FROM staged_shared_places p
JOIN staged_shared s ON s.ordinal = p.ordinal
JOIN staged_advert_vacancies v ON v.ordinal = p.ordinal
CROSS JOIN run r
WHERE v.applied_as >= 0 AND s.until >= r.as_of
ORDER BY vacancy, p.code, p.latitude, p.longitude
