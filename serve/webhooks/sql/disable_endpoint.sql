-- An endpoint that was disabled before keeps its time and its reason.
UPDATE webhook_endpoints SET disabled_at = $1, disabled_reason = $2 WHERE id = $3 AND disabled_at IS NULL
