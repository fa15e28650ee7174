-- Counts a call of the key $1 in the hour that began at $2 and in the month that began at $3, and
-- returns the new counts.
INSERT INTO usage_counts (key_id, span, starts_at, calls)
VALUES ($1, 'hour', $2, 1), ($1, 'month', $3, 1)
ON CONFLICT (key_id, span, starts_at) DO UPDATE SET calls = usage_counts.calls + 1
RETURNING span, calls
