-- The tables of other bodies' figures, in the order in which the API returns them.
CREATE TABLE course_demand AS
SELECT * EXCLUDE (as_of, change_pct), (change_pct * 10)::BIGINT AS change
FROM read_parquet(getvariable('tables') || '/course_demand.parquet')
ORDER BY country, period_end DESC, metric, region_code, subject_area;

CREATE TABLE skills_gaps AS
SELECT * EXCLUDE (as_of, projected_change_pct), (projected_change_pct * 10)::BIGINT AS projected_change
FROM read_parquet(getvariable('tables') || '/skills_gaps.parquet')
ORDER BY country, sources_agreeing DESC, projected_change_pct DESC NULLS LAST, soc;

CREATE TABLE evidence AS
SELECT * EXCLUDE (as_of)
FROM read_parquet(getvariable('tables') || '/evidence.parquet')
ORDER BY published_on DESC, id DESC;

CREATE TABLE regions AS
SELECT * EXCLUDE (as_of), words(name || ' ' || coalesce(name_welsh, '')) AS searched
FROM read_parquet(getvariable('tables') || '/regions.parquet')
ORDER BY kind, name, code;

-- Area codes that were replaced, with the current codes of their areas. An area with several current
-- codes was split. A code that is still listed is not a former one.
CREATE TABLE former_areas AS
SELECT former, list_sort(list(DISTINCT code)) AS codes, min(kind) AS kind
FROM (SELECT unnest(string_split(former_codes, ',')) AS former, code, kind FROM regions)
WHERE former NOT IN (SELECT code FROM regions)
GROUP BY former
ORDER BY former;

-- The areas that the table regions does not have, such as all of them in a snapshot without the official
-- areas: the platform's boroughs, and the areas of the figures on courses under their newest names.
CREATE TABLE further_areas AS
WITH named AS (
  SELECT code, name, 'council' AS kind, 1 AS rank
  FROM read_parquet(getvariable('tables') || '/places.parquet')
  WHERE area_kind = 'borough' AND code <> ''
  UNION ALL
  SELECT region_code, max_by(region_name, period_end), min(region_kind), 2
  FROM course_demand
  WHERE country = 'GB'
  GROUP BY region_code)
SELECT DISTINCT ON (code) code, name, kind
FROM named
WHERE code NOT IN (SELECT code FROM regions) AND code NOT IN (SELECT former FROM former_areas)
ORDER BY code, rank;
