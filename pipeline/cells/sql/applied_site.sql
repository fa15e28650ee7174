-- The boroughs of the vacancies under which applicants are counted (applied_vacancy).
SELECT s.ordinal, s.site FROM vacancy_site s JOIN site t ON t.number = s.site AND t.area_kind = 'borough'
UNION ALL
SELECT DISTINCT r.ordinal, t.number
FROM staged_advert_vacancies r
JOIN staged_advert_vacancies v ON v.applied_as = r.ordinal
JOIN advert_place p ON p.ordinal = v.ordinal
JOIN borough b ON b.code = p.code
JOIN site t ON t.area_kind = 'borough' AND t.place = b.place
WHERE r.applied_as = r.ordinal AND r.counted_as < 0
