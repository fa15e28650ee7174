-- Gives the delivery $3 the final status $1, if it still has the status $4.
UPDATE webhook_deliveries SET status = $1, ended_at = $2, next_at = NULL WHERE id = $3 AND status = $4
