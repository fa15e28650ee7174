-- What an outcome is joined with: the counted vacancy that stands for each advert of
-- the platform, and a number for each applicant. Skills are dealt out into parts of
-- about part_rows outcomes, in the order of their slugs: the people of one skill have
-- nothing to do with those of another, so that a country's are counted a few skills at
-- a time, in memory that does not grow with it.
CREATE OR REPLACE TABLE applied AS
SELECT p.id AS advert, v.ordinal, v.sector, v.soc, v.source, v.employer, f.place AS first_place
FROM platform_advert p
JOIN vacancy v USING (ordinal)
LEFT JOIN (SELECT ordinal, min(place) AS place FROM vacancy_area WHERE area_kind = 'borough' GROUP BY ordinal) f USING (ordinal);

CREATE OR REPLACE TABLE applicant AS
SELECT o.resident, row_number() OVER ()::INTEGER AS person, r.borough
FROM (SELECT DISTINCT resident FROM staged_outcomes) o
LEFT JOIN staged_residents r ON r.id = o.resident;

CREATE OR REPLACE TABLE part_of AS
WITH size AS (
  SELECT k.number, k.skill, count(o.skill) AS outcomes
  FROM skill k LEFT JOIN staged_outcome_skills o ON o.skill = k.number
  GROUP BY k.number, k.skill)
SELECT number, skill, ((sum(outcomes) OVER (ORDER BY skill) - outcomes) // getvariable('part_rows'))::INTEGER AS part
FROM size;
