-- The platform's own records. Times are seconds since 1970, so that no answer
-- depends on a session's time zone.
CREATE TABLE place_boroughs AS
SELECT place, [place] AS boroughs FROM places WHERE area_kind = 'borough'
UNION ALL
SELECT area, list(borough ORDER BY borough)
FROM read_parquet(getvariable('tables') || '/place_members.parquet') GROUP BY area
ORDER BY 1;

CREATE TABLE jobs AS
SELECT * EXCLUDE (as_of, posted_at, boroughs), epoch_us(posted_at) // 1000000 AS posted,
       CASE WHEN boroughs = '' THEN [] ELSE string_split(boroughs, ',') END AS boroughs,
       words(title || ' ' || employer) AS words, row_number() OVER (ORDER BY posted_at DESC, id DESC) AS n
FROM read_parquet(getvariable('tables') || '/jobs.parquet')
ORDER BY n;

CREATE TABLE pathways AS
SELECT * EXCLUDE (as_of) FROM read_parquet(getvariable('tables') || '/pathways.parquet') ORDER BY slug, id;

CREATE TABLE pathway_steps AS
SELECT * EXCLUDE (as_of) FROM read_parquet(getvariable('tables') || '/pathway_steps.parquet') ORDER BY pathway, position;

CREATE TABLE pathway_standards AS
SELECT * EXCLUDE (as_of) FROM read_parquet(getvariable('tables') || '/pathway_standards.parquet') ORDER BY pathway, code;

CREATE TABLE candidates AS
SELECT c.dimension, c.value, coalesce(p.name, l.name, s.name, '') AS name, c.residents::BIGINT AS residents, c.residents_status AS status
FROM read_parquet(getvariable('tables') || '/candidates.parquet') c
LEFT JOIN places p ON c.dimension = 'borough' AND p.place = c.value
LEFT JOIN levels l ON c.dimension = 'level' AND l.level::VARCHAR = c.value
LEFT JOIN sectors s ON c.dimension = 'sector_sought' AND s.sector = c.value
ORDER BY c.dimension, c.value;

CREATE TABLE s106 AS
SELECT * EXCLUDE (as_of) FROM read_parquet(getvariable('tables') || '/s106.parquet') ORDER BY place;

CREATE TABLE events AS
SELECT * EXCLUDE (as_of, occurred_at), epoch_us(occurred_at) // 1000000 AS occurred
FROM read_parquet(getvariable('tables') || '/events.parquet')
ORDER BY occurred, id;
