SELECT id, endpoint_id, secret FROM webhook_secrets ORDER BY id
