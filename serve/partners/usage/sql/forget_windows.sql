-- Deletes the counts of hours that began before $1 and of months that began before $2.
DELETE FROM usage_counts WHERE span = 'hour' AND starts_at < $1 OR span = 'month' AND starts_at < $2
