-- Revokes at $1 what the partner $2 still has.
UPDATE access_keys SET revoked_at = $1 WHERE partner_id = $2 AND revoked_at IS NULL
