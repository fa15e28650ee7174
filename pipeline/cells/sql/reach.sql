-- Counts live vacancies within 5, 10 and 20 km of each ward's middle, in a straight line. The
-- haversine formula on a sphere of 6378.137 km is at most 0.6 per cent off. A figure needs the
-- floor of vacancies and employers. Adverts state the place of work as a point or as a council. A
-- council counts as its middle, the centre of area of its outline. A council without an outline has
-- no middle, and work there is not counted. A vacancy in several places counts once, at the
-- nearest; if a point and a council are equally near, at the point. Distances are rounded to
-- millimetres, so that inexact arithmetic decides nothing. The table apart first selects by
-- degrees, which is fast: 20 km are less than 20/110 of a degree of latitude.
WITH place AS (
  SELECT v.vacancy, v.employer, v.source_key, p.code <> '' AS by_council,
         CASE WHEN p.code = '' THEN p.latitude ELSE m.latitude END AS latitude,
         CASE WHEN p.code = '' THEN p.longitude ELSE m.longitude END AS longitude
  FROM shareable_places p
  JOIN shareable_vacancies v ON v.vacancy = p.vacancy AND v.until >= getvariable('as_of')
  JOIN shown s ON s.dataset = 'reach' AND s.source_key = v.source_key
  LEFT JOIN middle m ON m.code = p.code),
apart AS (
  SELECT w.code, p.vacancy, p.employer, p.source_key, p.by_council,
         sin(radians(p.latitude - w.latitude) / 2) ** 2
           + cos(radians(p.latitude)) * cos(radians(w.latitude)) * sin(radians(p.longitude - w.longitude) / 2) ** 2
           AS haversine
  FROM ward w JOIN place p ON p.latitude BETWEEN w.latitude - 20 / 110 AND w.latitude + 20 / 110
  WHERE abs(p.longitude - w.longitude) * cos(radians(abs(w.latitude) + 20 / 110)) <= 20 / 110),
nearest AS ( -- place is twice the distance in millimetres, plus 1 for a council
  SELECT code, vacancy, employer, source_key,
         min(2 * round(2 * 6378137000 * atan2(sqrt(haversine), sqrt(1 - haversine)))::BIGINT
             + by_council::BIGINT) AS place
  FROM apart GROUP BY code, vacancy, employer, source_key)
SELECT w.code AS ward_code, w.name AS ward_name, w.council AS council_code, d.km::SMALLINT AS within_km,
       count(*)::INTEGER AS vacancies,
       count(*) FILTER (WHERE n.place % 2 = 1)::INTEGER AS vacancies_placed_by_council,
       array_to_string(list_sort(list_append(list(DISTINCT n.source_key), w.source)), ',') AS source_keys
FROM nearest n
JOIN (VALUES (5), (10), (20)) d(km) ON n.place // 2 <= d.km * 1000000
JOIN ward w ON w.code = n.code
GROUP BY w.code, w.name, w.council, w.source, d.km
HAVING count(*) >= (SELECT adverts FROM floor) AND count(DISTINCT n.employer) >= (SELECT employers FROM floor)
ORDER BY ward_code, within_km
