-- Maps each advert of the platform to the vacancy under which its applicants are counted. People
-- may have applied to an advert that was left out as a duplicate. first_site is the vacancy's first
-- borough.
SELECT a.id AS advert, d.applied_as AS ordinal, f.site AS first_site
FROM staged_adverts a
JOIN staged_advert_vacancies d ON d.ordinal = a.ordinal AND d.applied_as >= 0
LEFT JOIN (SELECT ordinal, min(site) AS site FROM applied_site GROUP BY ordinal) f ON f.ordinal = d.applied_as
WHERE a.source = 'platform'
