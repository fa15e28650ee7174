-- No row is changed when the partner has an endpoint of that URL.
INSERT INTO webhook_endpoints (id, partner_id, url, event_types, description, created_at, disabled_reason)
VALUES ($1, $2, $3, $4, $5, $6, '') ON CONFLICT (partner_id, url) DO NOTHING
