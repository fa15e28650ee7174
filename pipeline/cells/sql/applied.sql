-- The counted vacancy that stands for each advert of the platform: people applied to the
-- advert, and the advert may be the one of two that was not kept.
SELECT a.id AS advert, v.ordinal, v.sector, v.soc, v.source, v.employer, f.place AS first_place
FROM staged_adverts a
JOIN staged_verdicts d ON d.ordinal = a.ordinal
JOIN vacancy v ON v.ordinal = d.counted_as
LEFT JOIN (SELECT ordinal, min(place) AS place FROM vacancy_area WHERE area_kind = 'borough' GROUP BY ordinal) f ON f.ordinal = v.ordinal
WHERE a.source = 'platform'
