-- The values of the parameters, in the order in which they are listed. A place with an official
-- code is credited to the source of the code.
CREATE TABLE place_list AS
SELECT p.place, p.name, nullif(p.code, '') AS code, p.area_kind, coalesce(m.boroughs, '') AS boroughs,
       coalesce(r.source_key, 'platform') AS source_key, words(p.name) AS searched
FROM read_parquet(getvariable('tables') || '/places.parquet') p
LEFT JOIN (SELECT code, min(source_key) AS source_key
           FROM read_parquet(getvariable('tables') || '/regions.parquet') GROUP BY code) r ON r.code = p.code
LEFT JOIN (SELECT area, string_agg(borough, ',' ORDER BY borough) AS boroughs
           FROM read_parquet(getvariable('tables') || '/place_members.parquet') GROUP BY area) m ON m.area = p.place
ORDER BY p.name, p.place;

CREATE TABLE sector_list AS SELECT sector, name, words(name) AS searched FROM sectors ORDER BY name, sector;

CREATE TABLE skill_list AS
SELECT k.skill, k.name, k.kind, k.level::BIGINT AS level,
       CASE k.kind WHEN 'licence' THEN 'held' ELSE l.name END AS level_name,
       words(k.name) AS searched
FROM read_parquet(getvariable('tables') || '/skills.parquet') k
LEFT JOIN levels l USING (level)
ORDER BY k.name, k.skill;

-- The occupations are credited to their publisher if the snapshot has it as a source, else to the
-- platform.
CREATE TABLE occupation_list AS
SELECT o.soc, o.name, length(o.soc) AS digits, coalesce(s.key, 'platform') AS source_key, words(o.name) AS searched
FROM read_parquet(getvariable('tables') || '/occupations.parquet') o
LEFT JOIN (SELECT key FROM sources WHERE key = 'ons_soc2020') s ON true
ORDER BY o.name, o.soc;
