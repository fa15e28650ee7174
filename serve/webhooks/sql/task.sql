-- The data for the next attempt of the delivery $1, if it has the status $2 and is due at $3, or
-- its endpoint is disabled.
SELECT d.id, d.event_id, d.endpoint_id, d.attempts, e.url, e.disabled_at IS NOT NULL, v.payload
FROM webhook_deliveries d
JOIN webhook_endpoints e ON e.id = d.endpoint_id
JOIN webhook_events v ON v.id = d.event_id
WHERE d.id = $1 AND d.status = $2 AND (d.next_at <= $3 OR e.disabled_at IS NOT NULL)
