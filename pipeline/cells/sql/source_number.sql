-- The sources of the profiles, numbered from 0 in the order of their keys.
SELECT source, (row_number() OVER (ORDER BY source) - 1)::INTEGER AS number
FROM (SELECT DISTINCT source FROM profile)
