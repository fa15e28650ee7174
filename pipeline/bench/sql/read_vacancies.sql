-- The vacancies of the apprenticeship service, where their address names a borough.
INSERT INTO advert
WITH vacancy AS (
  SELECT unnest(vacancies) AS v
  FROM read_json(getvariable('vacancies'), format = 'unstructured', ignore_errors = true, maximum_object_size = 67108864, columns = {
    vacancies: 'STRUCT(vacancyReference VARCHAR, employerName VARCHAR, title VARCHAR, postedDate VARCHAR, course STRUCT(route VARCHAR),
                       addresses STRUCT(addressLine1 VARCHAR, addressLine2 VARCHAR, addressLine3 VARCHAR)[], skills VARCHAR[], fullDescription VARCHAR)[]'}))
SELECT v.vacancyReference, lower(v.employerName), coalesce(v.course.route, ''), '', 'find_an_apprenticeship',
       date_trunc('month', TRY_CAST(v.postedDate[:10] AS DATE))::DATE,
       CASE WHEN b.place IS NOT NULL THEN [b.place] END,
       list_transform(v.skills, s -> {'skill': s, 'level': NULL::TINYINT}), length(v.fullDescription)
FROM vacancy LEFT JOIN borough b ON b.name = lower(v.addresses[1].addressLine2)
