UPDATE webhook_endpoints SET failing_since = $1, disabled_at = $2, disabled_reason = COALESCE($3, '') WHERE id = $4
