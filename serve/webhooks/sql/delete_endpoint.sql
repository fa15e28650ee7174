DELETE FROM webhook_endpoints WHERE id = $1
