UPDATE webhook_deliveries SET next_at = $1, claimed_until = 0 WHERE id = $2
