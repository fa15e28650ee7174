-- The published evidence: one row for each figure on courses, the sources' own statements that are
-- not embargoed, and news. News never points to a gap. Ids are made safe for addresses. If two
-- different names give the same id, a hash is appended to both. If several rows have the same id
-- and day, the first is kept.
WITH course AS (
  SELECT f.*, m.title || ' in ' || f.region_name AS title,
         row_number() OVER (ORDER BY f.source_key, f.metric, f.country, f.region_code, f.subject_area, f.series,
                            f.period_end) AS ordinal
  FROM course_figures f
  JOIN (VALUES ('apprenticeship_starts', 'Apprenticeship starts'),
        ('further_education_enrolments', 'Further education enrolments'),
               ('skills_bootcamp_starts', 'Skills bootcamp starts')) m(metric, title) ON m.metric = f.metric),
stated AS (
  SELECT 1 AS part, ordinal, concat_ws(chr(31), subject_area, series) AS exact,
         concat_ws(':', source_key, metric, region_code, regexp_replace(lower(subject_area), '[^a-z0-9]+', '-', 'g'),
                   regexp_replace(lower(series), '[^a-z0-9]+', '-', 'g'), period_end) AS id,
         published_on, title,
         title || CASE WHEN subject_area = 'Total' THEN '' ELSE ', ' || subject_area END
           || strftime(period_end, ', period to %-d %B %Y: ') || coalesce(format('{:,}', value), '<5') || '.'
           AS statement,
         'statistic' AS kind, 'none' AS signal, NULL AS soc, region_code, country, source_key, link
  FROM course
  UNION ALL
  SELECT 2, ordinal, id, regexp_replace(source_key || ':' || id, '[^A-Za-z0-9_.:-]', '-', 'g'), published, title,
         statement, kind, signal, nullif(soc, ''), nullif(region_code, ''), country, source_key, link
  FROM evidence_read WHERE NOT embargoed
  UNION ALL
  SELECT 3, 0, n.id, regexp_replace(n.id, '[^A-Za-z0-9_.:-]', '-', 'g'), n.published_on, 'News of ' || s.publisher,
         n.summary, 'news', 'none', NULL, NULL, 'GB', n.source_key, n.link
  FROM news n JOIN source_listed s ON s.key = n.source_key),
named AS (
  SELECT * REPLACE (CASE WHEN min(exact) OVER same_id = max(exact) OVER same_id THEN id
                    ELSE id || '-' || left(md5(exact), 8) END AS id)
  FROM stated
  WINDOW same_id AS (PARTITION BY id))
SELECT e.id, e.published_on, e.title, e.statement, e.kind, e.signal, e.soc::VARCHAR AS soc, e.region_code, e.country,
       e.source_key,
       coalesce(s.licence, '') AS licence, coalesce(nullif(e.link, ''), s.link, '') AS link
FROM named e LEFT JOIN source_listed s ON s.key = e.source_key
QUALIFY row_number() OVER (PARTITION BY e.published_on, e.id ORDER BY e.part, e.ordinal) = 1
ORDER BY e.published_on, e.id
