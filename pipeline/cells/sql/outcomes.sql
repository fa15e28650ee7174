-- One row per skill and outcome in the 24 months up to people_as_of, with what people
-- are counted by: the vacancy's sector, SOC, source and employer, the level asked, the
-- place, and how many months before people_as_of's month it was recorded (in UTC).
-- An advert in several boroughs counts people in the applicant's own borough if it is
-- one of them, else in the first by slug; place is empty where it is in none.
-- second and microsecond are the time since the first of the months. flags is 1 for
-- hired, 2 for turned down for the skill, 4 for had at the level asked.
-- Times are taken as numbers, since whatever has to do with time zones is slow.
WITH event AS (
  SELECT o.ordinal, o.application, o.resident, o.advert, o.hired, r.people_month - 12 * year(timestamp_micros(o.at)) - month(timestamp_micros(o.at)) AS age,
         o.at - r.people_first AS since
  FROM (SELECT ordinal, application, resident, advert, hired, unix_micros(recorded_at) AS at FROM staged_outcomes) o CROSS JOIN run r
  WHERE o.at >= r.people_first AND o.at < r.people_after)
SELECT s.part, s.skill, a.person, x.sector, x.soc, x.source, x.employer, o.asked_level AS level,
       coalesce(g.place, x.first_place, '') AS place, e.application, e.age::TINYINT AS age,
       floor(e.since / 1000000)::INTEGER AS second, (e.since % 1000000)::INTEGER AS microsecond,
       (e.hired::INTEGER + 2 * o.turned_down_for::INTEGER + 4 * (o.held_level >= o.asked_level)::INTEGER)::TINYINT AS flags
FROM staged_outcome_skills o
JOIN event e ON e.ordinal = o.outcome
JOIN part_of s ON s.number = o.skill
JOIN applied x ON x.advert = e.advert
JOIN applicant a ON a.resident = e.resident
LEFT JOIN vacancy_area g ON g.ordinal = x.ordinal AND g.place = a.borough AND g.area_kind = 'borough'
