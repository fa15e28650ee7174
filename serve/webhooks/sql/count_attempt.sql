-- No row is changed when the delivery $2 is not there any more, or has another status
-- than $3 by now.
UPDATE webhook_deliveries SET attempts = $1 WHERE id = $2 AND status = $3
