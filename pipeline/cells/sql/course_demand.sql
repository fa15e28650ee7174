-- Published figures on courses with the same figure one year before. Only figures
-- of one series are compared, so an in-year figure never meets a full year. Where
-- two data sets hold one figure, the one that was read first is taken.
WITH figure AS (
  SELECT *, min(ordinal) OVER (PARTITION BY source_key, metric, country, region_code, subject_area, series) AS series_begins
  FROM staged_statistics
  QUALIFY row_number() OVER (PARTITION BY source_key, metric, country, region_code, subject_area, series, period_end ORDER BY ordinal) = 1),
-- one row per period: where a full-year and an in-year series end on one day, the
-- series that began to be read first is shown, in every period the same one, so that
-- the previous value is always that of the row a year before
shown AS (
  SELECT * FROM figure
  QUALIFY row_number() OVER (PARTITION BY metric, country, region_code, subject_area, period_end ORDER BY series_begins, ordinal) = 1)
SELECT s.source_key, s.metric, s.country, s.region_code, s.region_name, s.region_kind, s.subject_area,
       s.period_end, s.value, s.value_status,
       p.value AS previous_value, coalesce(p.value_status, '') AS previous_value_status,
       CASE WHEN s.value IS NOT NULL AND p.value > 0
            THEN (sign(s.value - p.value) * ((2 * abs(s.value - p.value) * 1000 + p.value) // (2 * p.value)) / 10)::DECIMAL(9,1)
       END AS change_pct
FROM shown s LEFT JOIN figure p
  ON p.source_key = s.source_key AND p.metric = s.metric AND p.country = s.country AND p.region_code = s.region_code
 AND p.subject_area = s.subject_area AND p.series = s.series AND p.period_end = s.period_end - INTERVAL 1 YEAR
ORDER BY s.country, s.region_code, s.metric, s.subject_area, s.period_end
