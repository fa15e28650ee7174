-- The sites of each counted vacancy. A vacancy that was advertised once per city is in the places
-- of all its adverts of the month.
WITH at_borough AS (
  SELECT DISTINCT m.chosen AS ordinal, t.number AS site
  FROM advert_place p
  JOIN advert_month m ON m.ordinal = p.ordinal
  JOIN borough b ON b.code = p.code
  JOIN site t ON t.area_kind = 'borough' AND t.place = b.place),
part AS (
  SELECT b.number AS borough, a.number AS area
  FROM member m
  JOIN site b ON b.area_kind = 'borough' AND b.place = m.borough
  JOIN site a ON a.area_kind = 'area' AND a.place = m.area)
SELECT v.ordinal, t.number AS site FROM vacancy v JOIN site t ON t.area_kind = 'all'
UNION ALL
SELECT ordinal, site FROM at_borough
UNION ALL
SELECT DISTINCT ordinal, area FROM (
  SELECT a.ordinal, p.area FROM at_borough a JOIN part p ON p.borough = a.site
  UNION ALL
  SELECT m.chosen, t.number
  FROM staged_advert_areas a
  JOIN advert_month m ON m.ordinal = a.ordinal
  JOIN site t ON t.area_kind = 'area' AND t.place = a.area)
