-- The vacancy under which the applicants to each advert are counted: the counted vacancy of its month,
-- or an older one from before the longest window of the adverts. Adverts of the older ones are counted
-- nowhere.
SELECT v.ordinal, coalesce(m.chosen, v.applied_as) AS vacancy
FROM staged_advert_vacancies v
LEFT JOIN advert_month m ON m.ordinal = v.ordinal
WHERE v.applied_as >= 0
