-- Claims the delivery $2 until $1. No row is changed when another server has claimed it
-- at $4, or when it has another status than $3.
UPDATE webhook_deliveries SET claimed_until = $1 WHERE id = $2 AND status = $3 AND claimed_until <= $4
