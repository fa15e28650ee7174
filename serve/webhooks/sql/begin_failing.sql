-- The endpoint $2 fails since $1, unless it failed before that already. Gives since when.
UPDATE webhook_endpoints SET failing_since = COALESCE(failing_since, $1) WHERE id = $2
RETURNING failing_since
