-- Regions of one kind whose name has, for every word asked, a word that begins
-- with it.
SELECT code, name, name_welsh, kind, nation_code, slug, source_key
FROM regions
WHERE kind = $kind::VARCHAR
  AND len(list_filter(words($name::VARCHAR), lambda asked: len(list_filter(words, lambda w: starts_with(w, asked))) = 0)) = 0
ORDER BY name, code
LIMIT $limit::BIGINT;
