-- The combinations of filters that match each profile, as numbers. source is the profile's source
-- as one bit, at the place that source_number has for it.
SELECT w.profile, c.number AS combination, w.age, 1::BIGINT << n.number AS source
FROM profile_filter w
JOIN combination c ON c.source = w.source AND c.soc = w.soc AND c.sector = w.sector
JOIN profile p ON p.number = w.profile
JOIN source_number n ON n.source = p.source
