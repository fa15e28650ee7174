-- Records that the attempt $3 of the delivery $2 to the endpoint $1 failed at $4, and returns since
-- when the endpoint fails. It keeps failing since the same time if another attempt was made after
-- $5. The newest deliveries are searched first, as they have the latest attempts.
UPDATE webhook_endpoints SET failing_since = CASE
  WHEN failing_since IS NOT NULL AND (
    SELECT a.number
    FROM webhook_deliveries d JOIN webhook_attempts a ON a.delivery_id = d.id
    WHERE d.endpoint_id = $1 AND a.started_at > $5 AND NOT (d.id = $2 AND a.number = $3)
    ORDER BY d.id DESC
    LIMIT 1) IS NOT NULL
  THEN failing_since
  ELSE $4 END
WHERE id = $1
RETURNING failing_since
