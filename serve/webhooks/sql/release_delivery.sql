UPDATE webhook_deliveries SET claimed_until = $1 WHERE id = $2
