-- Counted adverts that ask for a skill, per cell. Millions of cells are grouped and
-- put in order as one number each, made of where the cell stands in the order of its
-- place (from bit 48), of its skill (34) and level (31), and of the rest.
WITH profile AS MATERIALIZED (
  SELECT sector, soc, source, month, row_number() OVER (ORDER BY sector, soc, source, month) AS number
  FROM (SELECT DISTINCT sector, soc, source, month FROM vacancy)),
site AS MATERIALIZED (
  SELECT area_kind, place, row_number() OVER (ORDER BY area_kind, place) AS number
  FROM (SELECT DISTINCT area_kind, place FROM vacancy_area)),
numbered AS (
  SELECT v.ordinal, p.number FROM vacancy v JOIN profile p USING (sector, soc, source, month)),
sited AS (
  SELECT g.ordinal, t.number FROM vacancy_area g JOIN site t USING (area_kind, place)),
cell AS (
  SELECT (t.number << 48) | (s.skill::BIGINT << 34) | (s.level::BIGINT << 31) | v.number AS number, count(*)::INTEGER AS adverts
  FROM staged_advert_skills s
  JOIN numbered v USING (ordinal)
  JOIN sited t USING (ordinal)
  GROUP BY 1)
SELECT k.skill, ((c.number >> 31) & 7)::TINYINT AS level, t.area_kind, t.place, p.sector, p.soc, p.source, p.month, c.adverts
FROM cell c
JOIN site t ON t.number = c.number >> 48
JOIN skill k ON k.number = (c.number >> 34) & 16383
JOIN profile p ON p.number = c.number & 2147483647
ORDER BY c.number
