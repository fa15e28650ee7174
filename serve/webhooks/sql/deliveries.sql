-- A page of the log of the endpoint $1, as scanDelivery reads it: $3 deliveries, and only those
-- before the delivery $2 if this is not empty. Their ids are in order of time.
SELECT d.id, d.event_id, v.type, d.status, d.created_at, d.next_at, d.ended_at
FROM webhook_deliveries d JOIN webhook_events v ON v.id = d.event_id
WHERE d.endpoint_id = $1 AND ($2 = '' OR d.id < $2)
ORDER BY d.id DESC
LIMIT $3
