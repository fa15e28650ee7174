SELECT COUNT(*) FROM webhook_deliveries WHERE status = $1
