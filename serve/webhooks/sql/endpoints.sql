-- The endpoints of the partner $1, as scanEndpoint reads them.
SELECT id, url, event_types, description, created_at, failing_since, disabled_at, disabled_reason
FROM webhook_endpoints
WHERE partner_id = $1
ORDER BY created_at, id
