-- The counted vacancy that stands for each advert of the platform: people applied to the
-- advert, and the advert may be the one of two that was not kept.
SELECT a.id AS advert, v.ordinal, f.site AS first_site
FROM staged_adverts a
JOIN staged_verdicts d ON d.ordinal = a.ordinal
JOIN vacancy v ON v.ordinal = d.counted_as
LEFT JOIN (SELECT s.ordinal, min(s.site) AS site FROM vacancy_site s JOIN site t ON t.number = s.site AND t.area_kind = 'borough' GROUP BY s.ordinal) f ON f.ordinal = v.ordinal
WHERE a.source = 'platform'
