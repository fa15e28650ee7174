-- The endpoints that take events: the name of the partner, and then the endpoint as
-- scanEndpoint reads it.
SELECT p.name, e.id, e.url, e.event_types, e.description, e.disabled_at IS NULL AS enabled, e.created_at, e.failing_since, e.disabled_at,
       NULLIF(e.disabled_reason, '') AS reason
FROM webhook_endpoints e JOIN partners p ON p.id = e.partner_id
WHERE e.disabled_at IS NULL
ORDER BY e.id
