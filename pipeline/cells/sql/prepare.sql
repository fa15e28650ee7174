-- Counted vacancies, where they are and what they ask for. A vacancy that was
-- advertised once per city is in every place that one of its adverts names; what
-- it asks for is read from the advert that is kept.
-- Employers are numbered in the order of their names; an advert that names none has
-- an employer of its own. Only the different names are put in order.
CREATE TABLE vacancy AS
WITH counted AS (
  SELECT a.ordinal, a.id, a.sector, a.soc, a.source, date_trunc('month', a.posted)::DATE AS month,
         CASE WHEN a.employer = '' THEN 'advert ' || a.ordinal ELSE a.employer END AS name
  FROM staged_adverts a JOIN staged_verdicts v USING (ordinal)
  WHERE v.counted_as = a.ordinal),
numbered AS (
  SELECT name, row_number() OVER (ORDER BY name)::INTEGER AS employer
  FROM (SELECT DISTINCT name FROM counted))
SELECT c.ordinal, c.id, c.sector, c.soc, c.source, c.month, n.employer
FROM counted c JOIN numbered n USING (name);

-- Areas, and what vacancies are counted by beside where they are, are numbered from 0
-- in their order: a vacancy is in a cell by two numbers, once for each area.
CREATE TABLE site AS
SELECT area_kind, place, (row_number() OVER (ORDER BY area_kind, place) - 1)::SMALLINT AS number
FROM (SELECT 'all' AS area_kind, '' AS place
      UNION SELECT 'borough', place FROM borough
      UNION SELECT 'area', area FROM member);

CREATE TABLE profile AS
SELECT sector, soc, source, month, (row_number() OVER (ORDER BY sector, soc, source, month) - 1)::INTEGER AS number
FROM (SELECT DISTINCT sector, soc, source, month FROM vacancy);

CREATE TABLE vacancy_site AS
WITH at_borough AS (
  SELECT DISTINCT v.counted_as AS ordinal, t.number AS site
  FROM staged_advert_places p
  JOIN staged_verdicts v ON v.ordinal = p.ordinal AND v.counted_as >= 0
  JOIN borough b USING (code)
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
SELECT DISTINCT ordinal, area FROM at_borough JOIN part ON part.borough = at_borough.site;

CREATE VIEW vacancy_area AS
SELECT v.ordinal, t.area_kind, t.place FROM vacancy_site v JOIN site t ON t.number = v.site;

CREATE TABLE vacancy_cell AS
SELECT ordinal, g.site, p.number AS profile, v.employer
FROM vacancy v
JOIN profile p USING (sector, soc, source, month)
JOIN vacancy_site g USING (ordinal);

-- Which counted vacancy stands for each advert of the platform: people applied to
-- the advert, and the advert may be the one of two that was not kept.
CREATE TABLE platform_advert AS
SELECT a.id, v.counted_as AS ordinal
FROM staged_adverts a JOIN staged_verdicts v USING (ordinal)
WHERE a.source = 'platform' AND v.counted_as >= 0;
