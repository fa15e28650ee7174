-- The vacancy that stands for each advert of the platform that people are counted by, however
-- old: people applied to the advert, and the advert may be the one of two that was not kept.
SELECT a.id AS advert, d.applied_as AS ordinal, f.site AS first_site
FROM staged_adverts a
JOIN staged_advert_vacancies d ON d.ordinal = a.ordinal AND d.applied_as >= 0
LEFT JOIN (SELECT ordinal, min(site) AS site FROM applied_site GROUP BY ordinal) f ON f.ordinal = d.applied_as
WHERE a.source = 'platform'
