-- One row per projection of an occupation that at least one published source points to as a gap. An
-- occupation without a projection has one row without figures. The specification:
-- `sources_agreeing` "is the count of distinct published sources that point to a gap for an
-- occupation. A news headline is never counted." Sources agree only within one country, region,
-- classification and code. Embargoed evidence is left out. If a source has several projections for
-- the same year, the one published last is used. A change that does not fit the column is null.
WITH stated AS (SELECT * FROM evidence_read WHERE NOT embargoed AND soc <> ''),
pointed AS (
  SELECT country, class, soc, region_code, list_sort(list(DISTINCT source_key)) AS keys,
         first(occupation ORDER BY published DESC, id, ordinal) AS occupation
  FROM stated WHERE signal = 'gap' AND kind <> 'news'
  GROUP BY country, class, soc, region_code),
projected AS (
  SELECT *, row_number() OVER (PARTITION BY country, class, soc, region_code, source_key, horizon_year
                               ORDER BY published DESC, id, ordinal) AS n
  FROM stated WHERE kind = 'projection')
SELECT p.soc, coalesce(e.occupation, p.occupation) AS occupation, p.class AS classification, p.country, p.region_code,
       len(p.keys)::INTEGER AS sources_agreeing, array_to_string(p.keys, ',') AS pointing_sources,
       nullif(e.base_year, 0) AS base_year, nullif(e.horizon_year, 0) AS horizon_year,
       CASE WHEN abs(e.change_pct * 10) < 999999
         THEN (round(e.change_pct * 10) / 10)::DECIMAL(6,1) END AS projected_change_pct,
       e.openings AS projected_openings, coalesce(e.source_key, p.keys[1]) AS source_key
FROM pointed p
LEFT JOIN projected e ON e.n = 1 AND e.country = p.country AND e.class = p.class AND e.soc = p.soc
  AND e.region_code = p.region_code
ORDER BY p.country, classification, p.soc, p.region_code, source_key, horizon_year
