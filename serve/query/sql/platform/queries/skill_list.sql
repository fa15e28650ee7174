-- The skills. Each searched word must begin a word of the name.
SELECT skill, name, kind, level, level_name, 'platform' FROM skill_list
WHERE ($word::VARCHAR = '' OR contains(searched, $word::VARCHAR))
  AND ($more_words::VARCHAR = ''
       OR list_bool_and([contains(searched, ' ' || word) FOR word IN string_split($more_words::VARCHAR, ' ')]))
ORDER BY name, skill
LIMIT $limit::BIGINT;
