-- The live adverts of a place, newest first, in the order of the table. A page begins after the
-- times and id of the last row of the page before. Each searched word must begin a word of the
-- title or employer. The other words are looked for only in rows that contain the first.
SELECT id, type, title, employer, shown[$borough::VARCHAR].slug, shown[$borough::VARCHAR].name,
       sector, soc, salary_text, posted_at, first_seen, closes_on, link, source_key, attribution_statement
FROM jobs
WHERE ($borough::VARCHAR = '' OR contains(places, ' ' || $borough::VARCHAR || ' '))
  AND ($type::VARCHAR = '' OR type = $type::VARCHAR)
  AND ($sector::VARCHAR = '' OR sector = $sector::VARCHAR)
  AND ($soc::VARCHAR = '' OR starts_with(soc, $soc::VARCHAR))
  AND ($word::VARCHAR = '' OR contains(name, $word::VARCHAR))
  AND ($more_words::VARCHAR = ''
       OR list_bool_and([contains(name, ' ' || word) FOR word IN string_split($more_words::VARCHAR, ' ')]))
  AND posted_at <= $after_at::TIMESTAMPTZ
  AND (posted_at < $after_at::TIMESTAMPTZ
       OR posted_at = $after_at::TIMESTAMPTZ
          AND (first_seen < $after_seen::TIMESTAMPTZ
               OR first_seen = $after_seen::TIMESTAMPTZ AND id < $after_id::VARCHAR))
LIMIT $limit::BIGINT;
