-- How many events of each type a partner has; those of number 0 are everybody's.
SELECT partner, type, sum(events)::BIGINT FROM event_counts GROUP BY ALL ORDER BY partner, type;
