-- The combinations of filters that match each profile, as numbers. source is the profile's source
-- as one bit; the bits are in the order of the source keys.
WITH numbered AS (
  SELECT source, (row_number() OVER (ORDER BY source) - 1)::INTEGER AS number
  FROM (SELECT DISTINCT source FROM profile))
SELECT w.profile, c.number AS combination, w.age, 1::BIGINT << n.number AS source
FROM profile_filter w
JOIN combination c ON c.source = w.source AND c.soc = w.soc AND c.sector = w.sector
JOIN profile p ON p.number = w.profile
JOIN numbered n ON n.source = p.source
