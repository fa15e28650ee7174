-- The $4 deliveries of the endpoint $1, of the status $2, that wait longest of those that
-- are due at $3 and that no server has claimed.
SELECT id FROM webhook_deliveries
WHERE endpoint_id = $1 AND status = $2 AND next_at <= $3 AND claimed_until <= $3
ORDER BY next_at, id
LIMIT $4
