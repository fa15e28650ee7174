-- A key that was revoked before keeps that time.
UPDATE access_keys SET revoked_at = COALESCE(revoked_at, $1) WHERE id = $2
