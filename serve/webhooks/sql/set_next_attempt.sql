UPDATE webhook_deliveries SET next_at = $1 WHERE id = $2
