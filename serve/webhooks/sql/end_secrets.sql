-- Ends the secrets of the endpoint $2 at $1, unless they end before.
UPDATE webhook_secrets SET valid_until = $1 WHERE endpoint_id = $2 AND (valid_until IS NULL OR valid_until > $1)
