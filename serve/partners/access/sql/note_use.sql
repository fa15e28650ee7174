-- Another server may have noted a later use of the key $2.
UPDATE access_keys SET last_used_at = $1 WHERE id = $2 AND (last_used_at IS NULL OR last_used_at < $1)
