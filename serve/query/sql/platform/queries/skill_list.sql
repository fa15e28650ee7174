-- The skills. Each searched word must begin a word of the name.
SELECT skill, name, kind, level, level_name, 'platform' FROM skill_list
WHERE has_words(searched, $word::VARCHAR, $more_words::VARCHAR)
ORDER BY name, skill
LIMIT $limit::BIGINT;
