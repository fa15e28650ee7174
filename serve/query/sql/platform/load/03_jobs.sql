-- For each set of boroughs that jobs have: the places that contain one of them, with a space before
-- and after each, and the borough that a list of each place shows, which is the first one in the
-- place by slug. The empty place is the whole platform.
CREATE TABLE job_places AS
WITH borough_sets AS (SELECT DISTINCT boroughs FROM read_parquet(getvariable('tables') || '/jobs.parquet')),
set_members AS (SELECT boroughs, unnest(string_split(boroughs, ',')) AS borough FROM borough_sets),
at_place AS (
  SELECT boroughs, '' AS place, nullif(string_split(boroughs, ',')[1], '') AS borough FROM borough_sets
  UNION ALL
  SELECT set_members.boroughs, m.place, min(borough) FROM set_members JOIN place_members m USING (borough) GROUP BY ALL)
SELECT a.boroughs, ' ' || string_agg(a.place, ' ' ORDER BY a.place) || ' ' AS places,
       map_from_entries(list((a.place, {'slug': a.borough, 'name': p.name}))) AS shown
FROM at_place a LEFT JOIN places p ON p.place = a.borough GROUP BY ALL;

-- The live adverts, newest first. Adverts posted at the same time are sorted by when they were
-- first seen, newest first.
CREATE TABLE jobs AS
SELECT row_number() OVER (ORDER BY j.posted_at DESC, j.first_seen DESC, j.id DESC) AS position,
       j.id, j.type, j.title, j.employer, l.places, l.shown, nullif(j.sector, '') AS sector, nullif(j.soc, '') AS soc,
       j.salary_text, j.posted_at, j.first_seen, j.closes_on, j.link, j.source_key, s.attribution_statement,
       words(j.title || ' ' || j.employer) AS name
FROM read_parquet(getvariable('tables') || '/jobs.parquet') j
JOIN job_places l USING (boroughs) LEFT JOIN sources s ON s.key = j.source_key
ORDER BY position;
