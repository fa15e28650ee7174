-- Deliveries that are due at $2 and that no server has claimed: of each partner the $3
-- that wait longest, so that no partner's backlog hides another's.
SELECT id, endpoint_id, partner_id FROM (
  SELECT d.id, d.endpoint_id, e.partner_id, d.next_at,
         row_number() OVER (PARTITION BY e.partner_id ORDER BY d.next_at, d.id) AS place
  FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
  WHERE d.status = $1 AND d.next_at <= $2 AND d.claimed_until <= $2
) AS due
WHERE place <= $3
ORDER BY next_at, id
