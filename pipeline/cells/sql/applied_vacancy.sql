-- The vacancies under which applicants are counted: the counted ones, and older ones from before
-- the longest window of the adverts. Adverts of the older ones are counted nowhere.
SELECT ordinal, sector, soc, source FROM vacancy
UNION ALL
SELECT a.ordinal, a.sector, a.soc, a.first_source
FROM staged_adverts a JOIN staged_advert_vacancies v ON v.ordinal = a.ordinal
WHERE v.applied_as = v.ordinal AND v.counted_as < 0
