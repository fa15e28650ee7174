-- Ends the secrets of the key $2 at $1, unless they end before.
UPDATE key_secrets SET valid_until = $1 WHERE key_id = $2 AND (valid_until IS NULL OR valid_until > $1)
