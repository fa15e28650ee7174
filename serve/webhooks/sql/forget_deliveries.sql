-- Deletes the deliveries that ended before $2; those with the status $1 have not ended.
DELETE FROM webhook_deliveries WHERE status <> $1 AND ended_at < $2
