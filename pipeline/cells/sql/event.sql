-- The outcomes that people are counted by, of the twelve months of the figures: whose, in which
-- order among the person's own, for which vacancy and where. The day of an outcome is that which
-- the feed prints. Of two at one instant the one with the later application, by its text, is the
-- later one.
-- An advert in several boroughs counts people in the applicant's own borough if it is
-- one of them, else in the first by slug; there is no site where it is in none.
-- All is numbers: a country's skills are joined with this, several to each outcome. Times
-- are numbers too, since whatever has to do with time zones is slow.
SELECT o.ordinal, a.person, row_number() OVER (PARTITION BY a.person ORDER BY o.at, o.application)::INTEGER AS nth, o.hired, x.ordinal AS vacancy,
       coalesce(g.site, x.first_site) AS site
FROM (SELECT ordinal, application, resident, advert, hired, day, unix_micros(recorded_at) AS at FROM staged_outcomes) o
CROSS JOIN run r
JOIN applicant a ON a.resident = o.resident
JOIN applied x ON x.advert = o.advert
LEFT JOIN site b ON b.area_kind = 'borough' AND b.place = a.borough
LEFT JOIN applied_site g ON g.ordinal = x.ordinal AND g.site = b.number
WHERE o.day >= r.people_from AND o.day <= r.people_to
