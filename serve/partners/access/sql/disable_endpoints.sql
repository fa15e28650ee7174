-- Stops the webhooks of the partner $2 at $1.
UPDATE webhook_endpoints SET disabled_at = $1, disabled_reason = 'partner' WHERE partner_id = $2 AND disabled_at IS NULL
