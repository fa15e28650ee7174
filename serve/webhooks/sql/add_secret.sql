INSERT INTO webhook_secrets (id, endpoint_id, secret, created_at) VALUES ($1, $2, $3, $4)
