-- Regions of one kind, or of the three levels of ITL. Each searched word must begin a word of the
-- name in either language.
SELECT code, name, name_welsh, kind, nation_code, slug, source_key
FROM regions
WHERE (kind = $kind::VARCHAR OR $kind::VARCHAR = 'itl' AND kind IN ('itl1', 'itl2', 'itl3'))
  AND has_words(searched, $word::VARCHAR, $more_words::VARCHAR)
ORDER BY name, code
LIMIT $limit::BIGINT;
