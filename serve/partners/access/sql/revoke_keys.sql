-- Revokes at $1 all keys of the partner $2 that are not revoked yet.
UPDATE access_keys SET revoked_at = $1 WHERE partner_id = $2 AND revoked_at IS NULL
