-- The vacancies under which applicants are counted (applied_as), with the sector, occupation and source
-- of the advert that stands for each.
SELECT a.ordinal, a.sector, a.soc, a.first_source AS source
FROM staged_adverts a JOIN applied_as p ON p.ordinal = a.ordinal AND p.vacancy = a.ordinal
