-- The attempts of the deliveries $2 to $3 to the endpoint $1.
SELECT a.delivery_id, a.number, a.started_at, a.took_ms, a.http_status, NULLIF(a.fault, '')
FROM webhook_attempts a JOIN webhook_deliveries d ON d.id = a.delivery_id
WHERE d.endpoint_id = $1 AND d.id >= $2 AND d.id <= $3
ORDER BY a.delivery_id, a.number
