-- No row is changed when the event was published before.
INSERT INTO webhook_events (id, type, payload, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT (id) DO NOTHING
