-- The enabled endpoints that receive events of the type $1: those of the partner with the name $2,
-- or of all partners if this is empty.
SELECT e.id
FROM webhook_endpoints e JOIN partners p ON p.id = e.partner_id
WHERE e.disabled_at IS NULL AND ' ' || e.event_types || ' ' LIKE '% ' || $1 || ' %' AND ($2 = '' OR p.name = $2)
ORDER BY e.id
