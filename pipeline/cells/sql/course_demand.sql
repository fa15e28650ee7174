-- Published figures on courses, each with the figure one year before. Figures are compared only
-- within one series, so an in-year figure is never compared with a full year. If two data sets have
-- the same figure, the one that was read first is used. A change that does not fit the column is
-- null.
WITH figure AS (
  SELECT * FROM (
    SELECT f.*,
           min(ordinal) OVER (PARTITION BY source_key, metric, country, region_code, subject_area, series)
             AS series_begins,
           row_number() OVER (PARTITION BY source_key, metric, country, region_code, subject_area, series, period_end
                              ORDER BY ordinal) AS n
    FROM staged_statistics f)
  WHERE n = 1),
-- One row per period. If a full-year and an in-year series end on the same day, the series that was
-- read first is shown, in every period the same one. The previous value is then always that of the
-- row a year before.
compared AS (
  SELECT s.source_key, s.metric, s.country, s.region_code, s.region_name, s.region_kind, s.subject_area,
         s.period_end, s.value, s.value_status, p.value AS previous_value,
         coalesce(p.value_status, '') AS previous_value_status,
         CASE WHEN p.value > 0 THEN 2 * abs(s.value - p.value) * 1000 + p.value END AS change, 2 * p.value AS base,
         CASE WHEN s.value < p.value THEN -1 ELSE 1 END AS direction,
         row_number() OVER (PARTITION BY s.metric, s.country, s.region_code, s.subject_area, s.period_end
                            ORDER BY s.series_begins, s.ordinal) AS n
  FROM figure s LEFT JOIN figure p
    ON p.source_key = s.source_key AND p.metric = s.metric AND p.country = s.country AND p.region_code = s.region_code
   AND p.subject_area = s.subject_area AND p.series = s.series AND p.period_end = s.period_end - INTERVAL 1 YEAR)
SELECT source_key, metric, country, region_code, region_name, region_kind, subject_area, period_end, value,
       value_status,
       previous_value, previous_value_status,
       CASE WHEN floor(change / base) <= 999999
         THEN (direction * floor(change / base) / 10)::DECIMAL(6,1) END AS change_pct
FROM compared
WHERE n = 1
ORDER BY country, region_code, metric, subject_area, period_end
