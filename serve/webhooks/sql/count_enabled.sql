SELECT COUNT(*) FROM webhook_endpoints WHERE disabled_at IS NULL
