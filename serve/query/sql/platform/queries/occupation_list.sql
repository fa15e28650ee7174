-- The groups of SOC 2020, of 1 to 4 digits. Each searched word must begin a word of the name.
SELECT soc, name, digits, source_key FROM occupation_list
WHERE ($word::VARCHAR = '' OR contains(searched, $word::VARCHAR))
  AND ($more_words::VARCHAR = ''
       OR list_bool_and([contains(searched, ' ' || word) FOR word IN string_split($more_words::VARCHAR, ' ')]))
ORDER BY name, soc
LIMIT $limit::BIGINT;
