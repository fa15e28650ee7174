-- People turned down, hired and not hired by skill, place, sector, source and age in
-- months, each at their latest such event and each place, as in the pipeline's truth
-- without its windows, occupations and employers.
WITH event AS (
  SELECT id, resident, advert, outcome, recorded_at, unnest(skills) AS s FROM application),
latest AS (
  SELECT outcome, s.skill AS skill, resident, max_by(advert, recorded_at) AS advert, max(recorded_at) AS recorded_at,
         max_by(s.held_level >= s.asked_level, recorded_at) AS had, max_by(coalesce(s.turned_down_for, false), recorded_at) AS reason
  FROM event GROUP BY ALL),
placed AS (
  SELECT l.outcome, l.skill, unnest(a.boroughs) AS place, a.sector, a.source,
         date_diff('month', l.recorded_at, getvariable('as_of')) AS age, l.had, l.reason
  FROM latest l JOIN advert a ON a.id = l.advert)
SELECT *, count(*) AS people
FROM placed
GROUP BY ALL
ORDER BY ALL
