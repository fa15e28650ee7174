INSERT INTO webhook_deliveries (id, endpoint_id, event_id, status, attempts, created_at, next_at)
VALUES ($1, $2, $3, $4, 0, $5, $5)
