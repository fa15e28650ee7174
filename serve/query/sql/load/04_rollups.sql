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

-- The adverts of each skill below a wide SOC group, by sector, source and the
-- shortest window that holds them.
CREATE TEMP TABLE skill_parts AS
SELECT w.place, w.soc, c.sector, c.source, c.skill, c.months,
       sum(c.adverts)::INTEGER AS adverts,
       coalesce(sum(c.adverts) FILTER (level = 1), 0)::INTEGER AS level_1,
       coalesce(sum(c.adverts) FILTER (level = 2), 0)::INTEGER AS level_2,
       coalesce(sum(c.adverts) FILTER (level = 3), 0)::INTEGER AS level_3,
       coalesce(sum(c.adverts) FILTER (level = 4), 0)::INTEGER AS level_4,
       coalesce(sum(c.adverts) FILTER (level = 5), 0)::INTEGER AS level_5
FROM (
  SELECT place, unnest([0, soc // 1000, soc // 100, soc // 10, soc])::USMALLINT AS prefix, generate_subscripts([0, 1, 2, 3, 4], 1) AS digits,
         soc, sector, source, skill, level, adverts,
         CASE WHEN back < 3 THEN 3 WHEN back < 6 THEN 6 WHEN back < 12 THEN 12 ELSE 24 END::UTINYINT AS months
  FROM cells_by_soc WHERE place IN (SELECT place FROM wide)
) c JOIN wide w ON w.place = c.place AND w.soc = c.prefix
WHERE c.soc > 0 OR c.digits = 1
GROUP BY ALL;

-- The same for any sector and any source too (255), so that a question adds up at
-- most four rows per skill, whatever its filters.
CREATE TABLE skills_rolled AS
WITH sectors_rolled AS (
  FROM skill_parts
  UNION ALL
  SELECT place, soc, 255::UTINYINT, source, skill, months, sum(adverts)::INTEGER, sum(level_1)::INTEGER, sum(level_2)::INTEGER,
         sum(level_3)::INTEGER, sum(level_4)::INTEGER, sum(level_5)::INTEGER
  FROM skill_parts GROUP BY place, soc, source, skill, months
)
FROM sectors_rolled
UNION ALL
SELECT place, soc, sector, 255::UTINYINT, skill, months, sum(adverts)::INTEGER, sum(level_1)::INTEGER, sum(level_2)::INTEGER,
       sum(level_3)::INTEGER, sum(level_4)::INTEGER, sum(level_5)::INTEGER
FROM sectors_rolled GROUP BY place, soc, sector, skill, months
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
ORDER BY w.months, soc, sector, source, place;

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
