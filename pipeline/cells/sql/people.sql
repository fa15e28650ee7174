-- Who counts for each skill: of each person the most recent event of being hired, of being
-- turned down and of being turned down for the skill, in the 24 months up to people_as_of.
-- Every person is then in exactly one cell of every filter, and every count is a plain count
-- of rows. Of two events at one instant the one with the later application, by its text, is
-- the more recent. True, protected zone.
-- What people are counted by are the vacancy's sector, SOC, source and employer, the level
-- asked, the place, and how many months before people_as_of's month it was recorded (in UTC).
-- An advert in several boroughs counts people in the applicant's own borough if it is
-- one of them, else in the first by slug; place is empty where it is in none.
-- Times are taken as numbers, since whatever has to do with time zones is slow.
WITH event AS (
  SELECT o.ordinal, o.application, o.resident, o.advert, o.hired, o.at AS recorded,
         r.people_month - 12 * year(timestamp_micros(o.at)) - month(timestamp_micros(o.at)) AS age
  FROM (SELECT ordinal, application, resident, advert, hired, unix_micros(recorded_at) AS at FROM staged_outcomes) o CROSS JOIN run r
  WHERE o.at >= r.people_first AND o.at < r.people_after),
ranked AS (
  SELECT o.skill, a.person, e.recorded, e.application, e.advert, a.borough, e.age, o.asked_level, o.held_level, e.hired, o.turned_down_for AND NOT e.hired AS down_for,
         row_number() OVER (PARTITION BY o.skill, a.person, e.hired ORDER BY e.recorded DESC, e.application DESC) AS n,
         row_number() OVER (PARTITION BY o.skill, a.person, e.hired, o.turned_down_for ORDER BY e.recorded DESC, e.application DESC) AS n_for
  FROM staged_outcome_skills o
  JOIN event e ON e.ordinal = o.outcome
  JOIN applicant a ON a.resident = e.resident
  WHERE e.advert IN (SELECT advert FROM applied))
SELECT k.skill, o.person, o.recorded, o.application, coalesce(g.place, x.first_place, '') AS place, x.sector, x.soc, o.asked_level AS level, x.source, x.employer,
       o.age::TINYINT AS age, o.held_level >= o.asked_level AS had, o.hired, o.n = 1 AS latest, o.down_for AND o.n_for = 1 AS latest_for
FROM ranked o
JOIN skill k ON k.number = o.skill
JOIN applied x ON x.advert = o.advert
LEFT JOIN vacancy_area g ON g.ordinal = x.ordinal AND g.place = o.borough AND g.area_kind = 'borough'
WHERE o.n = 1 OR o.down_for AND o.n_for = 1
ORDER BY k.skill, o.person, o.recorded DESC, o.application DESC
