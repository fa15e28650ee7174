-- The skills gap outlook: the mean of the sources' projections for each occupation and horizon,
-- with the lowest and the highest. A projection is taken as steady growth: a change of c per cent
-- over n years is (1 + c/100)^(h/12n) - 1 over h months. It is used only from the middle of its
-- base year, and only for horizons up to the end of its horizon year. A change of more than 10,000
-- per cent is an error of the publication. Each source counts once, with the projection that it
-- published last. Openings are spread evenly over the period, averaged over the sources that state
-- them, and rounded to hundreds. Sources are compared only within one country, region,
-- classification and code. The signal is gap if more sources point to a gap than to none, and
-- no_gap if fewer do. "A news headline is never counted."
WITH stated AS (SELECT * FROM evidence_shown WHERE soc <> '' AND kind <> 'news'),
pointed AS (
  SELECT country, class, soc, region_code, coalesce(list(DISTINCT source_key) FILTER (WHERE signal = 'gap'), []) AS gap,
         coalesce(list(DISTINCT source_key) FILTER (WHERE signal = 'no_gap'), []) AS no_gap
  FROM stated GROUP BY country, class, soc, region_code),
reaching AS (
  SELECT e.*, h.months, e.horizon_year - e.base_year AS years,
         row_number() OVER (PARTITION BY e.country, e.class, e.soc, e.region_code, h.months, e.source_key
                            ORDER BY e.published DESC, e.id, e.ordinal) AS n
  FROM stated e CROSS JOIN (VALUES (6), (12), (24), (36), (48), (60)) h(months)
    CROSS JOIN (SELECT getvariable('as_of') AS day) t
  WHERE e.kind = 'projection' AND e.change_pct > -100 AND e.change_pct <= 10000 AND e.base_year > 0
    AND e.horizon_year > e.base_year
    AND t.day >= make_date(e.base_year, 7, 1)
    AND (12 * year(t.day) + month(t.day) - 1 + h.months) // 12 <= e.horizon_year),
blended AS (
  SELECT country, class, soc, region_code, months, first(occupation ORDER BY source_key) AS occupation,
         list(source_key) AS keys,
         list(100 * (pow(1 + change_pct / 100, months / 12 / years) - 1) ORDER BY source_key) AS changes,
         list(openings / years * months / 12 ORDER BY source_key) FILTER (WHERE openings IS NOT NULL) AS openings
  FROM reaching WHERE n = 1
  GROUP BY country, class, soc, region_code, months)
SELECT b.soc, b.occupation, b.class AS classification, b.country, b.region_code, b.months::SMALLINT AS horizon_months,
       CASE WHEN len(p.gap) > len(p.no_gap) THEN 'gap'
         WHEN len(p.gap) < len(p.no_gap) THEN 'no_gap' ELSE 'none' END AS signal,
       len(p.gap)::INTEGER AS sources_gap, len(p.no_gap)::INTEGER AS sources_no_gap,
       (round(list_sum(b.changes) / len(b.changes) * 10) / 10)::DECIMAL(6,1) AS projected_change_pct,
       (round(list_min(b.changes) * 10) / 10)::DECIMAL(6,1) AS low_change_pct,
       (round(list_max(b.changes) * 10) / 10)::DECIMAL(6,1) AS high_change_pct,
       (100 * round(list_sum(b.openings) / len(b.openings) / 100))::BIGINT AS projected_openings,
       array_to_string(list_sort(list_distinct(b.keys || p.gap || p.no_gap)), ',') AS source_keys
FROM blended b JOIN pointed p ON p.country = b.country AND p.class = b.class AND p.soc = b.soc
  AND p.region_code = b.region_code
ORDER BY b.country, classification, b.soc, b.region_code, horizon_months
