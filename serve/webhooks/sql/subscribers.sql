-- The enabled endpoints that take events of the type $1: of the partner of the name $2, or
-- of every partner where this is empty.
SELECT e.id
FROM webhook_endpoints e JOIN partners p ON p.id = e.partner_id
WHERE e.disabled_at IS NULL AND ' ' || e.event_types || ' ' LIKE '% ' || $1 || ' %' AND ($2 = '' OR p.name = $2)
ORDER BY e.id
