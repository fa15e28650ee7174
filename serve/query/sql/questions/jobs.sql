-- Live jobs, newest first, which is the order of n; a page begins after the key of the last row of the page
-- before. The page is picked by its keys, and only then read. Of several boroughs
-- the first one that was asked for is shown.
WITH asked AS MATERIALIZED (
  SELECT boroughs FROM place_boroughs WHERE place = $borough::VARCHAR),
picked AS MATERIALIZED (
  SELECT j.n
  FROM jobs j
  WHERE ($type::VARCHAR = '' OR j.type = $type::VARCHAR)
    AND ($sector::VARCHAR = '' OR j.sector = $sector::VARCHAR)
    AND ($soc::VARCHAR = '' OR starts_with(j.soc, $soc::VARCHAR))
    AND ($after_id::VARCHAR = '' OR j.posted < $after_posted::BIGINT
         OR j.posted = $after_posted::BIGINT AND j.id < $after_id::VARCHAR)
    AND ($borough::VARCHAR = '' OR list_has_any(j.boroughs, (SELECT boroughs FROM asked)))
    AND CASE WHEN $q::VARCHAR = '' THEN true
             ELSE len(list_filter(words($q::VARCHAR), lambda asked: len(list_filter(j.words, lambda w: starts_with(w, asked))) = 0)) = 0 END
  ORDER BY j.n
  LIMIT $limit::BIGINT),
found AS (
  SELECT j.*, CASE WHEN $borough::VARCHAR = '' THEN j.boroughs
                   ELSE list_filter(j.boroughs, lambda b: list_contains(a.boroughs, b)) END AS near
  FROM picked JOIN jobs j USING (n) LEFT JOIN asked a ON true)
SELECT f.id, f.type, f.title, f.employer, p.place, p.name, nullif(f.sector, ''), nullif(f.soc, ''), f.salary_text,
       f.posted, f.closes_on, f.link, f.source_key
FROM found f LEFT JOIN places p ON p.place = f.near[1]
ORDER BY f.n;
