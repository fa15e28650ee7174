-- The outcomes by which people are counted, in the twelve months that the counts describe: the
-- person, the vacancy and the site. nth is the order of the outcome among the person's outcomes; at
-- the same time, the order of the applications' ids decides. day is the day in the feed. An advert
-- in several boroughs counts in the applicant's own borough if it is one of them, else in the first
-- by slug. site is null if the advert is in no borough. People, vacancies and sites are numbers,
-- because the skills of a whole country are joined with this table.
SELECT o.ordinal, a.person,
       row_number() OVER (PARTITION BY a.person ORDER BY o.recorded_micros, o.application)::INTEGER AS nth,
       o.hired, x.ordinal AS vacancy,
       coalesce(g.site, x.first_site) AS site
FROM staged_outcomes o
CROSS JOIN run r
JOIN applicant a ON a.resident = o.resident
JOIN applied_advert x ON x.advert = o.advert
LEFT JOIN site b ON b.area_kind = 'borough' AND b.place = a.borough
LEFT JOIN applied_site g ON g.ordinal = x.ordinal AND g.site = b.number
WHERE o.day >= r.people_from AND o.day <= r.people_to
