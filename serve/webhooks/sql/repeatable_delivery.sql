-- The delivery $1 to the endpoint $2, as scanDelivery reads it, if its message is still stored and
-- can be sent again.
SELECT d.id, d.event_id, v.type, d.status, d.created_at, d.next_at, d.ended_at
FROM webhook_deliveries d JOIN webhook_events v ON v.id = d.event_id
WHERE d.id = $1 AND d.endpoint_id = $2 AND v.payload <> ''
