-- Revokes a key. If it was revoked before, it keeps that time.
UPDATE access_keys SET revoked_at = COALESCE(revoked_at, $1) WHERE id = $2
