-- Maps each advert of the platform to the vacancy under which its applicants are counted. People
-- may have applied to an advert that was left out as a duplicate. first_site is the vacancy's first
-- borough.
SELECT a.id AS advert, d.vacancy AS ordinal, f.site AS first_site
FROM staged_adverts a
JOIN applied_as d ON d.ordinal = a.ordinal
LEFT JOIN (SELECT ordinal, min(site) AS site FROM applied_site GROUP BY ordinal) f ON f.ordinal = d.vacancy
WHERE a.source = 'platform'
