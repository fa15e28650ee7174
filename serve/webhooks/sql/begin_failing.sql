-- The endpoint $2 fails since $1, unless it failed before that already.
UPDATE webhook_endpoints SET failing_since = $1 WHERE id = $2 AND failing_since IS NULL
