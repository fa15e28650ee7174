-- The headline counts of each place; the empty place is the whole platform.
SELECT place, developments, obligations, printed(jobs_created, jobs_created_status),
       printed(apprenticeships_started, apprenticeships_started_status),
       printed(local_people_employed, local_people_employed_status), training_places, contributions_gbp
FROM s106 ORDER BY place;
