-- No row is changed when the partner $5 has another endpoint of the URL $1.
UPDATE webhook_endpoints SET url = $1, event_types = $2, description = $3
WHERE id = $4 AND NOT EXISTS (SELECT 1 FROM webhook_endpoints o WHERE o.partner_id = $5 AND o.url = $1 AND o.id <> $4)
