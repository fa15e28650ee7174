-- Claims the delivery $2 until $1. No row is changed when it has another status than $3, is
-- not due at $4 (another server has attempted it meanwhile), or another server has claimed it.
UPDATE webhook_deliveries SET claimed_until = $1
WHERE id = $2 AND status = $3 AND next_at <= $4 AND claimed_until <= $4
