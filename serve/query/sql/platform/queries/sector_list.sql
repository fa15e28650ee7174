-- The sectors. Each searched word must begin a word of the name.
SELECT sector, name, 'platform' FROM sector_list
WHERE has_words(searched, $word::VARCHAR, $more_words::VARCHAR)
ORDER BY name, sector
LIMIT $limit::BIGINT;
