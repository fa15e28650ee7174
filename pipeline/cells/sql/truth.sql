-- True counts per skill and cell of the published lattice, in the protected zone
-- only, with the people of each window (3, 6, 12 and 24 months up to people_as_of)
-- or of one month. Listed are the cells in which a counted advert asks for the
-- skill, the cells that can be asked; unlisted ones hold people all the same (the
-- advert was not counted as asking, or another was), are in every total above
-- them, and are here so that masking knows where a total's remainder lies.
-- Five counts each: turned down for the skill; hired with and without it; turned
-- down with and without it. Beside each, how many employers contribute to it, and
-- how many people the largest of them does.
WITH area AS (
  SELECT place, place AS borough FROM borough
  UNION ALL SELECT area, borough FROM member),
-- outcomes in every node of the place tree: everywhere, the borough, and the
-- served areas that hold the borough
node AS (
  SELECT skill, '' AS place, sector, soc, level, source, employer, age, measure, had FROM outcome
  UNION ALL
  SELECT o.skill, a.place, o.sector, o.soc, o.level, o.source, o.employer, o.age, o.measure, o.had
  FROM outcome o JOIN area a ON a.borough = o.place),
base AS (
  SELECT *, count(*) AS n FROM node GROUP BY ALL),
windowed AS (
  SELECT b.*, w.months AS window_months
  FROM base b JOIN (VALUES (3), (6), (12), (24)) w(months) ON b.age < w.months),
per_employer AS (
  SELECT skill, place, window_months, employer,
    CASE WHEN grouping(sector) = 0 THEN 'sector' WHEN grouping(soc) = 0 THEN 'soc'
         WHEN grouping(level) = 0 THEN 'level' WHEN grouping(source) = 0 THEN 'source' ELSE '' END AS dim,
    coalesce(sector, soc, level, source, '') AS value,
    sum(n) FILTER (measure = 'turned_down_for') AS turned_down_for,
    sum(n) FILTER (measure = 'hired' AND had) AS hired_with,
    sum(n) FILTER (measure = 'hired' AND NOT had) AS hired_without,
    sum(n) FILTER (measure = 'turned_down' AND had) AS turned_down_with,
    sum(n) FILTER (measure = 'turned_down' AND NOT had) AS turned_down_without
  FROM windowed
  GROUP BY GROUPING SETS ((skill, place, window_months, employer), (skill, place, window_months, employer, sector),
    (skill, place, window_months, employer, soc), (skill, place, window_months, employer, level),
    (skill, place, window_months, employer, source))
  UNION ALL
  SELECT skill, place, 1, employer, 'month', strftime(date_trunc('month', run.people_as_of) - to_months(age::INTEGER), '%Y-%m'),
    sum(n) FILTER (measure = 'turned_down_for'),
    sum(n) FILTER (measure = 'hired' AND had), sum(n) FILTER (measure = 'hired' AND NOT had),
    sum(n) FILTER (measure = 'turned_down' AND had), sum(n) FILTER (measure = 'turned_down' AND NOT had)
  FROM base, run
  GROUP BY ALL),
counted AS (
  SELECT skill, place, dim, value, window_months,
    sum(turned_down_for) AS turned_down_for, count(turned_down_for) AS turned_down_for_employers, max(turned_down_for) AS turned_down_for_largest,
    sum(hired_with) AS hired_with, count(hired_with) AS hired_with_employers, max(hired_with) AS hired_with_largest,
    sum(hired_without) AS hired_without, count(hired_without) AS hired_without_employers, max(hired_without) AS hired_without_largest,
    sum(turned_down_with) AS turned_down_with, count(turned_down_with) AS turned_down_with_employers,
    max(turned_down_with) AS turned_down_with_largest,
    sum(turned_down_without) AS turned_down_without, count(turned_down_without) AS turned_down_without_employers,
    max(turned_down_without) AS turned_down_without_largest
  FROM per_employer
  GROUP BY ALL),
-- the cells that can be asked: those in which a counted advert asks for the skill
asked AS (
  SELECT DISTINCT skill, place, unnest([
    {dim: '', value: ''}, {dim: 'sector', value: sector}, {dim: 'soc', value: soc},
    {dim: 'level', value: CASE WHEN level > 0 THEN level::VARCHAR ELSE '' END}, {dim: 'source', value: source}]) AS d
  FROM adverts WHERE skill BETWEEN getvariable('first_skill') AND getvariable('last_skill')),
months AS (
  SELECT strftime(date_trunc('month', run.people_as_of) - to_months(n::INTEGER), '%Y-%m') AS value, n AS age
  FROM run, range(24) r(n)),
grid AS (
  SELECT skill, place, d.dim AS dim, d.value AS value, w.months AS window_months
  FROM asked, (VALUES (3), (6), (12), (24)) w(months)
  WHERE (d.dim = '' OR d.value <> '') AND (place = '' OR d.dim = '' OR w.months >= 12)
  UNION ALL
  SELECT a.skill, a.place, 'month', m.value, 1
  FROM asked a, months m
  WHERE a.d.dim = '' AND (a.place = '' OR m.age < 12))
SELECT skill,
       CASE WHEN place = '' AND dim = '' THEN 'none' WHEN place = '' THEN dim
            WHEN dim = '' THEN 'place' ELSE 'place_' || dim END AS signature,
       place, value, window_months::TINYINT AS window_months, listed IS NOT NULL AS listed,
       coalesce(turned_down_for, 0)::INTEGER AS turned_down_for, coalesce(turned_down_for_employers, 0)::INTEGER AS turned_down_for_employers, coalesce(turned_down_for_largest, 0)::INTEGER AS turned_down_for_largest,
       coalesce(hired_with, 0)::INTEGER AS hired_with, coalesce(hired_with_employers, 0)::INTEGER AS hired_with_employers, coalesce(hired_with_largest, 0)::INTEGER AS hired_with_largest,
       coalesce(hired_without, 0)::INTEGER AS hired_without, coalesce(hired_without_employers, 0)::INTEGER AS hired_without_employers, coalesce(hired_without_largest, 0)::INTEGER AS hired_without_largest,
       coalesce(turned_down_with, 0)::INTEGER AS turned_down_with, coalesce(turned_down_with_employers, 0)::INTEGER AS turned_down_with_employers, coalesce(turned_down_with_largest, 0)::INTEGER AS turned_down_with_largest,
       coalesce(turned_down_without, 0)::INTEGER AS turned_down_without, coalesce(turned_down_without_employers, 0)::INTEGER AS turned_down_without_employers, coalesce(turned_down_without_largest, 0)::INTEGER AS turned_down_without_largest
FROM (SELECT *, true AS listed FROM grid) g
FULL JOIN counted c USING (skill, place, dim, value, window_months)
WHERE listed OR dim = '' OR (dim <> 'month' AND value <> '' AND (place = '' OR window_months >= 12))
ORDER BY skill, signature, place, value, window_months
