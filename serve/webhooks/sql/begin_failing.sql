-- Marks the endpoint $2 as failing since $1, unless it is marked already. Returns since when it
-- fails.
UPDATE webhook_endpoints SET failing_since = COALESCE(failing_since, $1) WHERE id = $2
RETURNING failing_since
