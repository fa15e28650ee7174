-- The combinations of skill, place, sector, occupation, level and source of the counted adverts of
-- the longest window. Figures of people are made only for these. place is empty if the advert is in
-- no served borough.
WITH asked AS (
  SELECT s.skill, v.ordinal, v.sector, v.soc, s.level, v.source
  FROM advert_skill s
  JOIN vacancy v ON v.ordinal = s.ordinal
  CROSS JOIN run r
  WHERE v.month >= r.recent)
SELECT DISTINCT k.skill, coalesce(g.place, '') AS place, a.sector, a.soc, a.level, a.source
FROM asked a
JOIN skill k ON k.number = a.skill
LEFT JOIN vacancy_area g ON g.ordinal = a.ordinal AND g.area_kind = 'borough'
ORDER BY k.skill, place, a.sector, a.soc, a.level, a.source
