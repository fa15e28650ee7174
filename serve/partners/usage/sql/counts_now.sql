-- The calls of the key $1 in the hour that began at $2 and in the month that began at $3.
SELECT
COALESCE((SELECT calls FROM usage_counts WHERE key_id = $1 AND span = 'hour' AND starts_at = $2), 0),
COALESCE((SELECT calls FROM usage_counts WHERE key_id = $1 AND span = 'month' AND starts_at = $3), 0)
