-- Cancels at $1 the pending deliveries to the endpoints of the partner $2.
UPDATE webhook_deliveries SET status = 'cancelled', ended_at = $1, next_at = NULL
WHERE status = 'pending' AND endpoint_id IN (SELECT id FROM webhook_endpoints WHERE partner_id = $2)
