-- Deletes the secrets of the endpoint $1 that ended until $2, and all except the $3 newest. SQLite
-- allows OFFSET only with a LIMIT; an endpoint never has 100 secrets.
DELETE FROM webhook_secrets WHERE endpoint_id = $1 AND (valid_until <= $2 OR id IN (
  SELECT id FROM webhook_secrets WHERE endpoint_id = $1 ORDER BY created_at DESC, id DESC LIMIT 100 OFFSET $3))
