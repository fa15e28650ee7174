INSERT INTO signin_sessions (hash, partner_id, created_at, seen_at) VALUES ($1, $2, $3, $3)
