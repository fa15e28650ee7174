INSERT INTO call_counts (key_id, starts_at, route, status, calls) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (key_id, starts_at, route, status) DO UPDATE SET calls = call_counts.calls + excluded.calls
