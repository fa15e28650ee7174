SELECT COUNT(*) FROM webhook_endpoints WHERE partner_id = $1
