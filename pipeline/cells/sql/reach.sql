-- The counts of live vacancies within 5, 10 and 20 km of wards. A figure needs the floor of
-- vacancies and employers.
SELECT n.ward_code, n.ward_name, n.council_code, n.within_km, n.vacancies, n.vacancies_placed_by_council,
       n.source_keys
FROM vacancies_near_wards n
JOIN floor f ON n.vacancies >= f.adverts AND n.employers >= f.employers
ORDER BY n.ward_code, n.within_km
