-- The endpoints of the partner $1, as scanEndpoint reads them.
SELECT id, url, event_types, description, disabled_at IS NULL AS enabled, created_at, failing_since, disabled_at,
       NULLIF(disabled_reason, '') AS reason
FROM webhook_endpoints
WHERE partner_id = $1
ORDER BY created_at, id
