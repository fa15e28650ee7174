-- The boroughs of the vacancies under which applicants are counted (applied_vacancy). A counted vacancy
-- is in the boroughs of its counted adverts only.
SELECT DISTINCT p.vacancy AS ordinal, t.number AS site
FROM applied_as p
JOIN staged_advert_vacancies v ON v.ordinal = p.ordinal
JOIN staged_advert_vacancies stands ON stands.ordinal = p.vacancy
JOIN advert_place d ON d.ordinal = p.ordinal
JOIN borough b ON b.code = d.code
JOIN site t ON t.area_kind = 'borough' AND t.place = b.place
WHERE v.counted_as >= 0 OR stands.counted_as < 0
