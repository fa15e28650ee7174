-- The $4 deliveries of the endpoint $1 that have waited longest. They have the status $2, are due
-- at $3, and no server has claimed them.
SELECT id FROM webhook_deliveries
WHERE endpoint_id = $1 AND status = $2 AND next_at <= $3 AND claimed_until <= $3
ORDER BY next_at, id
LIMIT $4
