SELECT failing_since FROM webhook_endpoints WHERE id = $1
