-- Counts the events that a partner may see from a time on: all events of later days, and those of
-- the same day from that time on.
SELECT (SELECT coalesce(sum(events), 0) FROM event_counts
        WHERE partner IN (0, $partner::SMALLINT) AND ($type::VARCHAR = '' OR type = $type::VARCHAR)
          AND day > epoch_ms($since::TIMESTAMPTZ) // 86400000)::BIGINT
     + (SELECT count(*) FROM events
        WHERE first = 'oldest' AND partner IN (0, $partner::SMALLINT) AND ($type::VARCHAR = '' OR type = $type::VARCHAR)
          AND occurred_at >= $since::TIMESTAMPTZ AND occurred_at < $day_after::TIMESTAMPTZ);
