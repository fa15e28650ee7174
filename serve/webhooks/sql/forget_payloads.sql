-- Empties the payloads from before $1 that no delivery needs any more.
UPDATE webhook_events SET payload = ''
WHERE payload <> '' AND created_at < $1
  AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.event_id = webhook_events.id)
