UPDATE webhook_endpoints SET url = $1, event_types = $2, description = $3 WHERE id = $4
