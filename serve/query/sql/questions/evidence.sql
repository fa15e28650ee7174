-- The published evidence, newest first; a page begins after the key of the last
-- row of the page before.
SELECT id, published_on, title, statement, kind, signal, soc, region_code, country, source_key, licence, link
FROM evidence
WHERE country = $country::VARCHAR
  AND ($region::VARCHAR = '' OR region_code = $region::VARCHAR)
  AND ($soc::VARCHAR = '' OR starts_with(soc, $soc::VARCHAR))
  AND ($kind::VARCHAR = '' OR kind = $kind::VARCHAR)
  AND ($after_on::DATE IS NULL OR published_on < $after_on::DATE
       OR published_on = $after_on::DATE AND id < $after_id::VARCHAR)
ORDER BY published_on DESC, id DESC
LIMIT $limit::BIGINT;
