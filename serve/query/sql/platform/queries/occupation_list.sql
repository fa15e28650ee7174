-- The groups of SOC 2020, of 1 to 4 digits. Each searched word must begin a word of the name.
SELECT soc, name, digits, source_key FROM occupation_list
WHERE has_words(searched, $word::VARCHAR, $more_words::VARCHAR)
ORDER BY name, soc
LIMIT $limit::BIGINT;
