DELETE FROM call_counts WHERE starts_at < $1
