-- The advert cells of the last 24 months in two orders: by place and occupation,
-- for ranking skills, and by skill, for breaking one skill down. `back` is months
-- back from the month of as_of, so that a window of w months is back < w.
CREATE TABLE cells_by_soc AS
SELECT p.code AS place,
       CASE WHEN a.soc = '' THEN 0 ELSE a.soc::INTEGER END::USMALLINT AS soc,
       c.code AS sector, s.code AS source, k.code AS skill,
       datediff('month', a.month, getvariable('month'))::UTINYINT AS back,
       a.level::UTINYINT AS level, a.adverts::INTEGER AS adverts
FROM read_parquet(getvariable('tables') || '/adverts.parquet') a
JOIN places p ON p.place = a.place
JOIN sectors c ON c.sector = a.sector
JOIN sources s ON s.key = a.source
JOIN skills k ON k.skill = a.skill
WHERE datediff('month', a.month, getvariable('month')) BETWEEN 0 AND 23
ORDER BY place, soc, sector, source, skill;

CREATE TABLE cells_by_skill AS
SELECT skill, place, soc, sector, source, back, level, adverts FROM cells_by_soc
ORDER BY skill, place, soc;

-- All counted adverts per cell. The employers are kept as five numbers that add
-- up over cells: at least three different employers remain in a union of cells
-- exactly when (low+high)*sum - sum_of_squares - count*low*high is above 0, for
-- that is the sum of (e-low)*(high-e), and only a third number makes it positive.
CREATE TABLE totals_by_soc AS
SELECT p.code AS place,
       CASE WHEN t.soc = '' THEN 0 ELSE t.soc::INTEGER END::USMALLINT AS soc,
       c.code AS sector, s.code AS source,
       datediff('month', t.month, getvariable('month'))::UTINYINT AS back,
       t.adverts::INTEGER AS adverts,
       (1 + (employer_2 IS NOT NULL)::INTEGER + (employer_3 IS NOT NULL)::INTEGER)::INTEGER AS employers,
       least(employer_1, employer_2, employer_3)::INTEGER AS employer_low,
       greatest(employer_1, employer_2, employer_3)::INTEGER AS employer_high,
       employer_1::BIGINT + coalesce(employer_2, 0) + coalesce(employer_3, 0) AS employer_sum,
       employer_1::BIGINT * employer_1 + coalesce(employer_2::BIGINT * employer_2, 0)
         + coalesce(employer_3::BIGINT * employer_3, 0) AS employer_squares
FROM read_parquet(getvariable('tables') || '/adverts_total.parquet') t
JOIN places p ON p.place = t.place
JOIN sectors c ON c.sector = t.sector
JOIN sources s ON s.key = t.source
WHERE datediff('month', t.month, getvariable('month')) BETWEEN 0 AND 23
ORDER BY place, soc, sector, source;

-- R7: "If fewer than 5 adverts, or fewer than 3 employers, remain after filters,
-- data is []; in a by breakdown such groups are omitted."
CREATE MACRO above_floor(adverts, employers, low, high, total, squares) AS
  adverts >= 5 AND (low::HUGEINT + high) * total - squares - employers::HUGEINT * low * high > 0;

-- A unit group that occupations does not name is shown by its code.
INSERT INTO buckets
SELECT DISTINCT 'soc', soc::INTEGER, soc::VARCHAR, soc::VARCHAR FROM totals_by_soc
WHERE soc > 0 AND NOT EXISTS (FROM buckets b WHERE b.kind = 'soc' AND b.code = soc);

-- "level usually asked: the mode over the counted adverts, the lower one on a
-- tie"; 0 when none states a level.
CREATE MACRO usual_level(one, two, three, four, five) AS CASE
  WHEN coalesce(greatest(one, two, three, four, five), 0) = 0 THEN 0
  WHEN one = greatest(one, two, three, four, five) THEN 1
  WHEN two = greatest(one, two, three, four, five) THEN 2
  WHEN three = greatest(one, two, three, four, five) THEN 3
  WHEN four = greatest(one, two, three, four, five) THEN 4
  ELSE 5 END::UTINYINT;
