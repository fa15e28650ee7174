-- Counts the events of each partner by type. The events of partner 0 are for all partners.
SELECT partner, type, sum(events)::BIGINT FROM event_counts GROUP BY ALL ORDER BY partner, type;
