-- SOC groups of 0 to 4 digits (0 digits is every advert, known or not) of each
-- place that have more cells than a question should read.
CREATE TABLE wide AS
WITH unit AS (SELECT place, soc, count(*) AS cells FROM cells_by_soc GROUP BY place, soc)
SELECT place, soc, sum(cells)::BIGINT AS cells FROM (
  SELECT place, 0::USMALLINT AS soc, cells FROM unit
  UNION ALL SELECT place, (soc // 1000)::USMALLINT, cells FROM unit WHERE soc > 0
  UNION ALL SELECT place, (soc // 100)::USMALLINT, cells FROM unit WHERE soc > 0
  UNION ALL SELECT place, (soc // 10)::USMALLINT, cells FROM unit WHERE soc > 0
  UNION ALL SELECT place, soc, cells FROM unit WHERE soc > 0
) GROUP BY place, soc
HAVING sum(cells) > getvariable('direct_cells')
ORDER BY place, soc;

CREATE TEMP TABLE skill_parts AS
WITH cells AS (
  SELECT place, soc, sector, source, skill, level,
         CASE WHEN back < 3 THEN 3 WHEN back < 6 THEN 6 WHEN back < 12 THEN 12 ELSE 24 END::UTINYINT AS months,
         sum(adverts)::INTEGER AS adverts
  FROM cells_by_soc WHERE place IN (SELECT place FROM wide) GROUP BY ALL
)
SELECT w.place, w.soc, c.sector, c.source, c.skill, c.level, c.months, sum(c.adverts)::INTEGER AS adverts
FROM (
  SELECT 0::USMALLINT AS prefix, * FROM cells
  UNION ALL SELECT (soc // 1000)::USMALLINT, * FROM cells WHERE soc > 0
  UNION ALL SELECT (soc // 100)::USMALLINT, * FROM cells WHERE soc > 0
  UNION ALL SELECT (soc // 10)::USMALLINT, * FROM cells WHERE soc > 0
  UNION ALL SELECT soc, * FROM cells WHERE soc > 0
) c JOIN wide w ON w.place = c.place AND w.soc = c.prefix
GROUP BY ALL;

-- One row per skill for every combination of filters below a wide SOC group and
-- every window, so that the question needs no adding up. 255 = any sector, any
-- source. `usual` is the level that most of the adverts state, the lower one on a
-- tie, 0 when none states one.
CREATE TABLE skills_rolled AS
SELECT place, soc, sector, source, months, skill, adverts,
       usual_level(level_1, level_2, level_3, level_4, level_5) AS usual,
       level_1, level_2, level_3, level_4, level_5
FROM (
  SELECT place, soc,
         CASE WHEN GROUPING(sector) = 1 THEN 255 ELSE sector END::UTINYINT AS sector,
         CASE WHEN GROUPING(source) = 1 THEN 255 ELSE source END::UTINYINT AS source,
         w.months, skill,
         sum(adverts)::INTEGER AS adverts,
         coalesce(sum(adverts) FILTER (level = 1), 0)::INTEGER AS level_1,
         coalesce(sum(adverts) FILTER (level = 2), 0)::INTEGER AS level_2,
         coalesce(sum(adverts) FILTER (level = 3), 0)::INTEGER AS level_3,
         coalesce(sum(adverts) FILTER (level = 4), 0)::INTEGER AS level_4,
         coalesce(sum(adverts) FILTER (level = 5), 0)::INTEGER AS level_5
  FROM skill_parts p
  JOIN (VALUES (3::UTINYINT), (6::UTINYINT), (12::UTINYINT), (24::UTINYINT)) w(months) ON p.months <= w.months
  GROUP BY GROUPING SETS ((place, soc, w.months, skill), (place, soc, w.months, skill, sector),
                          (place, soc, w.months, skill, source), (place, soc, w.months, skill, sector, source))
)
ORDER BY place, soc, sector, source, months, skill;

DROP TABLE skill_parts;

CREATE TEMP TABLE total_parts AS
WITH cells AS (
  SELECT place, soc, sector, source,
         CASE WHEN back < 3 THEN 3 WHEN back < 6 THEN 6 WHEN back < 12 THEN 12 ELSE 24 END::UTINYINT AS months,
         sum(adverts)::BIGINT AS adverts, sum(employers)::BIGINT AS employers,
         min(employer_low) AS employer_low, max(employer_high) AS employer_high,
         sum(employer_sum)::BIGINT AS employer_sum, sum(employer_squares) AS employer_squares
  FROM totals_by_soc GROUP BY ALL
)
SELECT place, 0::USMALLINT AS soc, cells.* EXCLUDE (place, soc) FROM cells
UNION ALL SELECT place, (soc // 1000)::USMALLINT, cells.* EXCLUDE (place, soc) FROM cells WHERE soc > 0
UNION ALL SELECT place, (soc // 100)::USMALLINT, cells.* EXCLUDE (place, soc) FROM cells WHERE soc > 0
UNION ALL SELECT place, (soc // 10)::USMALLINT, cells.* EXCLUDE (place, soc) FROM cells WHERE soc > 0
UNION ALL SELECT place, soc, cells.* EXCLUDE (place, soc) FROM cells WHERE soc > 0;

-- The denominators above the floor, for every combination of filters but a unit
-- group with a sector; those are few rows and are added up when asked.
CREATE TABLE totals_rolled AS
SELECT w.months, soc,
       CASE WHEN GROUPING(sector) = 1 THEN 255 ELSE sector END::UTINYINT AS sector,
       CASE WHEN GROUPING(source) = 1 THEN 255 ELSE source END::UTINYINT AS source,
       place,
       sum(adverts)::BIGINT AS adverts,
       bit_or(1::UBIGINT << source) AS sources
FROM total_parts p
JOIN (VALUES (3::UTINYINT), (6::UTINYINT), (12::UTINYINT), (24::UTINYINT)) w(months) ON p.months <= w.months
GROUP BY GROUPING SETS ((place, soc, w.months), (place, soc, w.months, sector),
                        (place, soc, w.months, source), (place, soc, w.months, sector, source))
HAVING above_floor(sum(adverts), sum(employers), min(employer_low), max(employer_high), sum(employer_sum), sum(employer_squares))
   AND (soc < 1000 OR GROUPING(sector) = 1)
ORDER BY ALL;

DROP TABLE total_parts;

-- The same by month, without an occupation.
CREATE TABLE totals_by_month AS
SELECT place,
       CASE WHEN GROUPING(sector) = 1 THEN 255 ELSE sector END::UTINYINT AS sector,
       CASE WHEN GROUPING(source) = 1 THEN 255 ELSE source END::UTINYINT AS source,
       back,
       sum(adverts)::BIGINT AS adverts,
       bit_or(1::UBIGINT << source) AS sources
FROM totals_by_soc
GROUP BY GROUPING SETS ((place, back), (place, back, sector), (place, back, source), (place, back, sector, source))
HAVING above_floor(sum(adverts), sum(employers), min(employer_low), max(employer_high), sum(employer_sum), sum(employer_squares))
ORDER BY ALL;
