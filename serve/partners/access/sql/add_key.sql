INSERT INTO access_keys (id, partner_id, label, mode, plan, scopes, created_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
