-- Live adverts that may be shown, however long ago they were posted. There is one per vacancy: the
-- advert that is kept for the vacancy if it may be shown, else the one whose source comes first. Its
-- boroughs are those of all adverts of the vacancy that may be shown.
WITH shown AS (
  SELECT j.*, v.applied_as,
         row_number() OVER (PARTITION BY v.applied_as
                            ORDER BY j.ordinal <> v.applied_as, j.precedence, j.posted_at, j.id, j.ordinal) AS choice
  FROM staged_jobs j JOIN staged_advert_vacancies v ON v.ordinal = j.ordinal
  WHERE v.applied_as >= 0),
at_borough AS (
  SELECT applied_as, array_join(array_sort(array_agg(place)), ',') AS boroughs
  FROM (SELECT DISTINCT s.applied_as, b.place
        FROM shown s JOIN advert_place p ON p.ordinal = s.ordinal JOIN borough b ON b.code = p.code)
  GROUP BY applied_as)
SELECT s.id, s.type, s.title, s.employer, coalesce(a.boroughs, '') AS boroughs, s.sector, s.soc, s.salary_text,
       s.posted_at, s.first_seen, s.closes_on, s.link, s.source_key
FROM shown s LEFT JOIN at_borough a ON a.applied_as = s.applied_as
WHERE s.choice = 1
ORDER BY s.posted_at, s.id
