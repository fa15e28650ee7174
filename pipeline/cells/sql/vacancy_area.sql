-- The sites of each counted vacancy, by name instead of number.
SELECT v.ordinal, t.area_kind, t.place FROM vacancy_site v JOIN site t ON t.number = v.site
