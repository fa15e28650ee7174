-- The secrets of the endpoint $1 that are valid at $2, the newest first.
SELECT id, endpoint_id, secret
FROM webhook_secrets
WHERE endpoint_id = $1 AND (valid_until IS NULL OR valid_until > $2)
ORDER BY created_at DESC, id DESC
