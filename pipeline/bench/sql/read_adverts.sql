-- The adverts that state their origin, as the platform coded them; text is read and
-- not looked at.
CREATE TABLE advert AS
SELECT id, lower(employer) AS employer, coalesce(sector, '') AS sector, coalesce(soc, '') AS soc, coalesce(imported_from, '') AS source,
       date_trunc('month', posted_on)::DATE AS month, boroughs, skills, length(text) AS letters
FROM read_json(getvariable('feed') || '/adverts*', format = 'newline_delimited', columns = {
  id: 'VARCHAR', imported_from: 'VARCHAR', employer: 'VARCHAR', title: 'VARCHAR', sector: 'VARCHAR', soc: 'VARCHAR', posted_on: 'DATE',
  boroughs: 'VARCHAR[]', skills: 'STRUCT(skill VARCHAR, "level" TINYINT)[]', text: 'VARCHAR'})
WHERE imported_from IN ('platform', 'employer_board', 'find_an_apprenticeship')
