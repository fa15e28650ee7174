-- The published figures on courses that are numbers or "<5", each once.
SELECT s.source_key, s.metric, s.country, s.region_code, s.region_name, s.subject_area, s.series, s.period_end,
       s.published_on, s.value, o.licence, o.link
FROM (SELECT f.*,
             row_number() OVER (PARTITION BY source_key, metric, country, region_code, subject_area, series, period_end
                                ORDER BY ordinal) AS n
      FROM staged_statistics f
      WHERE value_status <> '') s
JOIN source o ON o.key = s.source_key
WHERE s.n = 1
ORDER BY s.source_key, s.metric, s.country, s.region_code, s.subject_area, s.series, s.period_end
