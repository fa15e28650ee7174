-- Counts an attempt. No row is changed if the delivery $2 has been deleted, or has no longer the
-- status $3.
UPDATE webhook_deliveries SET attempts = $1 WHERE id = $2 AND status = $3
