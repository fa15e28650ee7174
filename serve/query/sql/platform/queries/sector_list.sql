-- The sectors. Each searched word must begin a word of the name.
SELECT sector, name, 'platform' FROM sector_list
WHERE ($word::VARCHAR = '' OR contains(searched, $word::VARCHAR))
  AND ($more_words::VARCHAR = ''
       OR list_bool_and([contains(searched, ' ' || word) FOR word IN string_split($more_words::VARCHAR, ' ')]))
ORDER BY name, sector
LIMIT $limit::BIGINT;
