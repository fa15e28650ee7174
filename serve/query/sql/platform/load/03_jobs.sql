-- The live adverts, newest first, and of those of one day first what came last: once for the whole platform, where place is empty, and
-- once for each place that they are in. The borough is the first one of the place by slug.
CREATE TABLE jobs AS
WITH job AS (
  SELECT * EXCLUDE (as_of, boroughs), string_split(boroughs, ',') AS boroughs, words(title || ' ' || employer) AS name,
         row_number() OVER (ORDER BY posted_at DESC, first_seen DESC, id DESC) AS position
  FROM read_parquet(getvariable('tables') || '/jobs.parquet')),
at_borough AS (SELECT position, unnest(boroughs) AS borough FROM job),
at_place AS (
  SELECT '' AS place, position, nullif(boroughs[1], '') AS borough FROM job
  UNION ALL
  SELECT m.place, b.position, min(b.borough) FROM at_borough b JOIN place_members m USING (borough) GROUP BY ALL)
SELECT a.place, j.position, j.id, j.type, j.title, j.employer, a.borough, p.name AS borough_name, nullif(j.sector, '') AS sector, nullif(j.soc, '') AS soc,
       j.salary_text, j.posted_at, j.first_seen, j.closes_on, j.link, j.source_key, s.attribution_statement, j.name
FROM at_place a JOIN job j USING (position) LEFT JOIN places p ON p.place = a.borough
  LEFT JOIN sources s ON s.key = j.source_key
ORDER BY a.place, j.position;
