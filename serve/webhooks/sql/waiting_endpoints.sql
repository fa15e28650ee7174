-- The endpoints with deliveries of the status $1 that are due at $2 and that no server has
-- claimed.
SELECT e.id, e.partner_id, e.failing_since IS NOT NULL AND e.disabled_at IS NULL
FROM webhook_endpoints e
WHERE EXISTS (
  SELECT 1 FROM webhook_deliveries d
  WHERE d.endpoint_id = e.id AND d.status = $1 AND d.next_at <= $2 AND d.claimed_until <= $2)
ORDER BY e.id
