SELECT number, started_at, took_ms, http_status, fault FROM webhook_attempts WHERE delivery_id = $1 ORDER BY number
