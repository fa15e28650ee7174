-- Finds growing and shrinking occupations: compares vacancies posted in the 91 days (13 weeks) up
-- to as_of with those of the 91 days that ended 364 days (52 weeks) before. Both windows have the
-- same weekdays and season. A vacancy that is advertised again counts once in each window. A source
-- counts only if it was watched from the start of the earlier window: it shows its past, or was
-- first fetched before then, and has a vacancy from before then. Otherwise a new source would look
-- like growth. An occupation needs the floor of vacancies and employers in each window, and 20
-- vacancies in the earlier one. It grows or shrinks if the change is at least 10 per cent and more
-- than two standard deviations, which is twice the square root of the sum of both counts.
-- Everything else is steady. Occupations are ranked among those with the same direction and number
-- of SOC digits. Shrinking ones are ranked from the lowest change_pct, all others from the highest.
WITH windows AS (
  SELECT t.day - 90 AS window_from, t.day AS window_to, t.day - 454 AS previous_from, t.day - 364 AS previous_to
  FROM (SELECT getvariable('as_of') AS day) t),
vacancy_shown AS (SELECT v.*, s.since FROM shareable_vacancies v
                  JOIN shown s ON s.dataset = 'trends' AND s.source_key = v.source_key),
watched AS (
  SELECT source_key FROM vacancy_shown CROSS JOIN windows
  GROUP BY source_key, previous_from HAVING greatest(min(posted), max(since)) <= previous_from),
posted AS (
  SELECT substring(v.soc, 1, d.digits) AS soc, v.vacancy, v.employer, v.source_key, v.posted >= w.window_from AS now
  FROM vacancy_shown v
  JOIN watched ON watched.source_key = v.source_key
  JOIN (VALUES (1), (2), (3), (4)) d(digits) ON d.digits <= length(v.soc)
  CROSS JOIN windows w
  WHERE v.posted BETWEEN w.window_from AND w.window_to OR v.posted BETWEEN w.previous_from AND w.previous_to),
counted AS (
  SELECT soc, count(DISTINCT vacancy) FILTER (WHERE now) AS vacancies,
         count(DISTINCT vacancy) FILTER (WHERE NOT now) AS previous,
         string_agg(DISTINCT source_key, ',' ORDER BY source_key) AS source_keys
  FROM posted GROUP BY soc
  HAVING vacancies >= (SELECT adverts FROM floor)
     AND count(DISTINCT employer) FILTER (WHERE now) >= (SELECT employers FROM floor)
     AND previous >= 20
     AND count(DISTINCT employer) FILTER (WHERE NOT now) >= (SELECT employers FROM floor)),
changed AS (
  SELECT *, abs(vacancies - previous) AS size,
         sign(vacancies - previous) * ((2000 * size + previous) // (2 * previous)) AS tenths,
         CASE WHEN 100 * size < 10 * previous OR size * size <= 4 * (vacancies + previous) THEN 'steady'
           WHEN vacancies > previous THEN 'growing' ELSE 'shrinking' END AS direction
  FROM counted)
SELECT length(c.soc)::TINYINT AS digits, c.direction,
       row_number() OVER (PARTITION BY length(c.soc), c.direction
                          ORDER BY CASE c.direction WHEN 'shrinking' THEN c.tenths ELSE -c.tenths END,
                            c.vacancies DESC, c.soc)::INTEGER AS rank,
       c.soc, coalesce(o.name, '') AS occupation, c.vacancies::INTEGER AS vacancies,
       c.previous::INTEGER AS previous_vacancies,
       (c.tenths / 10)::DECIMAL(6,1) AS change_pct, w.window_from, w.window_to, w.previous_from, w.previous_to,
       c.source_keys
FROM changed c CROSS JOIN windows w LEFT JOIN occupations o ON o.soc = c.soc
ORDER BY digits, direction, rank
