INSERT INTO signin_links (hash, partner_id, mailed, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)
