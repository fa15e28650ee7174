INSERT INTO webhook_attempts (delivery_id, number, started_at, took_ms, http_status, fault)
VALUES ($1, $2, $3, $4, $5, $6)
