INSERT INTO key_secrets (hash, key_id, prefix, last_four, created_at) VALUES ($1, $2, $3, $4, $5)
