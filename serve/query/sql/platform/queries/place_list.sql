-- The values of the parameters place and borough. Each searched word must begin a word of the name.
SELECT place, name, code, area_kind, boroughs, source_key FROM place_list
WHERE has_words(searched, $word::VARCHAR, $more_words::VARCHAR)
ORDER BY name, place
LIMIT $limit::BIGINT;
