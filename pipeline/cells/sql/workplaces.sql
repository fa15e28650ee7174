-- The places of work of live vacancies that the dataset reach may count: points, or codes of
-- councils.
SELECT DISTINCT v.vacancy, v.employer, v.source_key, p.code AS council, p.latitude, p.longitude
FROM shareable_places p
JOIN shareable_vacancies v ON v.vacancy = p.vacancy AND v.until >= getvariable('as_of')
JOIN shown s ON s.dataset = 'reach' AND s.source_key = v.source_key
ORDER BY v.vacancy, v.source_key, v.employer, p.code, p.latitude, p.longitude
