-- The test messages that the endpoint $1 was sent since $3.
SELECT COUNT(*)
FROM webhook_deliveries d JOIN webhook_events v ON v.id = d.event_id
WHERE d.endpoint_id = $1 AND v.type = $2 AND d.created_at > $3
