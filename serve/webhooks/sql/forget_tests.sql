-- Deletes test messages (type $1) from before $2 that no delivery needs any more. They are never
-- published again, so nothing has to remember them.
DELETE FROM webhook_events
WHERE type = $1 AND created_at < $2
  AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.event_id = webhook_events.id)
