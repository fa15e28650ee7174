-- Forgets the secrets of the endpoint $1 that ended until $2, and all but the $3 newest.
-- SQLite takes no OFFSET without a LIMIT; an endpoint never has so many secrets.
DELETE FROM webhook_secrets WHERE endpoint_id = $1 AND (valid_until <= $2 OR id IN (
  SELECT id FROM webhook_secrets WHERE endpoint_id = $1 ORDER BY created_at DESC, id DESC LIMIT 100 OFFSET $3))
