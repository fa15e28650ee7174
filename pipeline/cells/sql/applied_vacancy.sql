-- The vacancies that people are counted by: the counted ones, and those of adverts that were
-- posted before the adverts' longest window, which count nowhere else.
SELECT ordinal, sector, soc, source FROM vacancy
UNION ALL
SELECT a.ordinal, a.sector, a.soc, a.first_source
FROM staged_adverts a JOIN staged_advert_vacancies v ON v.ordinal = a.ordinal
WHERE v.applied_as = v.ordinal AND v.counted_as < 0
