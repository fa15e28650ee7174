-- The statement behind each published figure on courses of a nation, of the
-- figures that are numbers or "<5".
SELECT s.source_key || ':' || s.metric || ':' || s.region_code || ':' || s.subject_area || ':' || s.series || ':' || s.period_end AS id,
       s.published_on,
       label.words || ' in ' || s.region_name AS title,
       label.words || ' in ' || s.region_name || CASE WHEN s.subject_area = 'Total' THEN '' ELSE ', ' || s.subject_area END
         || ', period to ' || strftime(s.period_end, '%-d %B %Y') || ': '
         || CASE WHEN s.value IS NULL THEN '<5' ELSE format('{:,}', s.value) END || '.' AS statement,
       'statistic' AS kind, 'none' AS signal,
       NULL::VARCHAR AS soc, s.region_code AS region_code, s.country, s.source_key, source.licence, source.link
FROM staged_statistics s
JOIN source ON source.key = s.source_key
JOIN (VALUES ('apprenticeship_starts', 'Apprenticeship starts'),
             ('further_education_enrolments', 'Further education enrolments'),
             ('skills_bootcamp_starts', 'Skills bootcamp starts')) label(metric, words) ON label.metric = s.metric
WHERE s.region_kind = 'nation' AND s.value_status <> ''
QUALIFY row_number() OVER (PARTITION BY s.source_key, s.metric, s.country, s.region_code, s.subject_area, s.series, s.period_end ORDER BY s.ordinal) = 1
ORDER BY s.published_on, id
