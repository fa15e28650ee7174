-- The values of the parameters place and borough. Each searched word must begin a word of the name.
SELECT place, name, code, area_kind, boroughs, source_key FROM place_list
WHERE ($word::VARCHAR = '' OR contains(searched, $word::VARCHAR))
  AND ($more_words::VARCHAR = ''
       OR list_bool_and([contains(searched, ' ' || word) FOR word IN string_split($more_words::VARCHAR, ' ')]))
ORDER BY name, place
LIMIT $limit::BIGINT;
