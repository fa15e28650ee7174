-- What the next attempt of the delivery $1 needs to know.
SELECT d.id, d.event_id, d.endpoint_id, d.status, d.attempts, d.next_at, e.url, e.disabled_at, v.payload
FROM webhook_deliveries d
JOIN webhook_endpoints e ON e.id = d.endpoint_id
JOIN webhook_events v ON v.id = d.event_id
WHERE d.id = $1
