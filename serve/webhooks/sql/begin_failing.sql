-- Records that an attempt to reach the endpoint $1 failed at $2, and returns since when the endpoint
-- fails. A new series of failures begins if the last failure was at $3 or before.
UPDATE webhook_endpoints SET
  failing_since = CASE WHEN last_failure_at > $3 THEN COALESCE(failing_since, $2) ELSE $2 END,
  last_failure_at = $2
WHERE id = $1
RETURNING failing_since
