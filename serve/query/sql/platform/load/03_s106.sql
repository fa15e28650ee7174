-- Section 106 headline counts, with the counts of jobs and people. The latter are made once a
-- quarter, so a newer place has none yet.
CREATE TABLE s106 AS
SELECT s.* EXCLUDE (as_of), p.jobs_created, coalesce(p.jobs_created_status, '') AS jobs_created_status,
       p.apprenticeships_started, coalesce(p.apprenticeships_started_status, '') AS apprenticeships_started_status,
       p.local_people_employed, coalesce(p.local_people_employed_status, '') AS local_people_employed_status
FROM read_parquet(getvariable('tables') || '/s106.parquet') s
LEFT JOIN read_parquet(getvariable('tables') || '/s106_people.parquet') p ON p.place = s.place
ORDER BY s.place;
-- The places for which counts of people were made. The table s106_people has one row for each of
-- them, even where a count is 0 or not published.
CREATE TABLE people_places AS
SELECT place FROM read_parquet(getvariable('tables') || '/s106_people.parquet') ORDER BY place;
