-- The webhook endpoints of the partner $1 that are not disabled, the oldest first.
SELECT id, url
FROM webhook_endpoints
WHERE partner_id = $1 AND disabled_at IS NULL
ORDER BY created_at, id
