-- Tables of a made-up country of getvariable('adverts') adverts with about six
-- skills each, written to getvariable('tables'). Places, sectors, occupations,
-- skills and employers are skewed, as in life. setseed makes it repeatable but for
-- the order in which threads draw numbers.
SELECT setseed(0.42);

CREATE TABLE advert AS
SELECT i, 'borough-' || lpad(floor(33 * pow(random(), 1.5))::INTEGER::VARCHAR, 2, '0') AS place,
       'sector-' || lpad(floor(15 * pow(random(), 1.3))::INTEGER::VARCHAR, 2, '0') AS sector,
       (1111 + 20 * floor(412 * pow(random(), 1.7)))::INTEGER::VARCHAR AS soc,
       ['employer_boards', 'find_an_apprenticeship', 'platform'][1 + floor(3 * pow(random(), 1.5))::INTEGER] AS source,
       DATE '2026-11-01' - to_months(floor(24 * random())::INTEGER) AS month,
       (1 + floor(5000 * pow(random(), 2)))::INTEGER AS employer
FROM range(getvariable('adverts')::BIGINT) t(i);

CREATE TABLE ask AS
SELECT DISTINCT ON (i, skill) a.*, 'skill-' || lpad(floor(600 * pow(random(), 2.2))::INTEGER::VARCHAR, 3, '0') AS skill,
       floor(random() * 6)::TINYINT AS level
FROM advert a, range(6);

CREATE TABLE member AS
SELECT 'area-' || (b // 11)::VARCHAR AS area, 'borough-' || lpad(b::VARCHAR, 2, '0') AS borough FROM range(33) t(b);

CREATE TABLE placed AS
SELECT 'all' AS area_kind, '' AS area, i FROM advert
UNION ALL SELECT 'borough', place, i FROM advert
UNION ALL SELECT 'area', area, i FROM advert JOIN member ON borough = place;

COPY (
  SELECT DATE '2026-11-20' AS as_of, skill, level, area_kind, area AS place, sector, soc, source, month::DATE AS month, count(*)::INTEGER AS adverts
  FROM ask JOIN placed USING (i) GROUP BY ALL
) TO (getvariable('tables') || '/adverts.parquet');

COPY (
  SELECT DATE '2026-11-20' AS as_of, area_kind, area AS place, sector, soc, source, month::DATE AS month, count(*)::INTEGER AS adverts,
         min(employer)::INTEGER AS employer_1,
         nullif(max(employer), min(employer))::INTEGER AS employer_2,
         list_sort(list(DISTINCT employer))[2:-2][1]::INTEGER AS employer_3
  FROM advert JOIN placed USING (i) GROUP BY ALL
) TO (getvariable('tables') || '/adverts_total.parquet');

COPY (SELECT DATE '2026-11-20' AS as_of, 'skill-' || lpad(i::VARCHAR, 3, '0') AS skill, 'Skill ' || i AS name, (1 + i % 5)::TINYINT AS reference_level, 'technical' AS kind, 'skill ' || i AS wordings
      FROM range(600) t(i)) TO (getvariable('tables') || '/skills.parquet');
COPY (SELECT DATE '2026-11-20' AS as_of, i::TINYINT AS level, 'Level ' || i AS name FROM range(1, 6) t(i)) TO (getvariable('tables') || '/levels.parquet');
COPY (SELECT DATE '2026-11-20' AS as_of, borough AS place, borough AS name, 'borough' AS area_kind, '' AS code FROM member
      UNION ALL SELECT DISTINCT DATE '2026-11-20', area, area, 'area', '' FROM member) TO (getvariable('tables') || '/places.parquet');
COPY (SELECT DATE '2026-11-20' AS as_of, area, borough FROM member) TO (getvariable('tables') || '/place_members.parquet');
COPY (SELECT DATE '2026-11-20' AS as_of, 'sector-' || lpad(i::VARCHAR, 2, '0') AS sector, 'Sector ' || i AS name FROM range(15) t(i)) TO (getvariable('tables') || '/sectors.parquet');
COPY (SELECT DATE '2026-11-20' AS as_of, soc, 'Occupation ' || soc AS name
      FROM (SELECT DISTINCT unnest([soc, soc[1:3], soc[1:2], soc[1:1]]) AS soc FROM advert)) TO (getvariable('tables') || '/occupations.parquet');
COPY (SELECT DATE '2026-11-20' AS as_of, key, key AS publisher, key AS title, 'platform' AS kind, 'Own' AS licence, 'https://example.org/' AS link,
             'Source: Synthetic.' AS attribution_statement, 'daily' AS cadence, true AS adverts_counted, 0::BIGINT AS rows
      FROM (VALUES ('platform'), ('employer_boards'), ('find_an_apprenticeship')) t(key)) TO (getvariable('tables') || '/sources.parquet');
COPY (SELECT DATE '2026-11-20' AS as_of, key AS source_key, '' AS part, NULL::TIMESTAMP AS last_success_at
      FROM (VALUES ('platform'), ('employer_boards'), ('find_an_apprenticeship')) t(key)) TO (getvariable('tables') || '/freshness.parquet');

COPY (
  WITH place AS (SELECT '' AS place UNION ALL SELECT borough FROM member UNION ALL SELECT DISTINCT area FROM member),
  cell AS (
    SELECT 'none' AS dimension, '' AS value UNION ALL SELECT DISTINCT 'sector', sector FROM advert UNION ALL SELECT DISTINCT 'soc', soc FROM advert
    UNION ALL SELECT DISTINCT 'source', source FROM advert UNION ALL SELECT 'level', i::VARCHAR FROM range(1, 6) t(i)
  )
  SELECT DATE '2026-11-20' AS as_of,
         CASE WHEN place = '' THEN dimension WHEN dimension = 'none' THEN 'place' ELSE 'place_' || dimension END AS signature,
         place, value, 'skill-' || lpad(skill::VARCHAR, 3, '0') AS skill,
         (5 + skill)::INTEGER AS people_turned_down, 'number' AS people_turned_down_status,
         60.5::DECIMAL(6,1) AS hired_with_skill_pct, 41.0::DECIMAL(6,1) AS turned_down_with_skill_pct
  FROM place, cell, range(600) t(skill)
  WHERE (dimension <> 'soc' OR skill < 100 OR hash(value, skill) % 8 = 0)
) TO (getvariable('tables') || '/people.parquet');
COPY (
  SELECT DATE '2026-11-20' AS as_of, place, 'skill-' || lpad(skill::VARCHAR, 3, '0') AS skill, level::TINYINT AS level, (10 * level + skill % 40)::DECIMAL(6,1) AS people_below_share_pct
  FROM (SELECT '' AS place UNION ALL SELECT borough FROM member UNION ALL SELECT DISTINCT area FROM member), range(600) t(skill), range(1, 6) l(level)
) TO (getvariable('tables') || '/residents.parquet');
