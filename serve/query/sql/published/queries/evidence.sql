-- The published evidence of one region, or the national one, newest first. A region includes the
-- areas that became part of it. A page begins after the key of the last row of the page before.
SELECT id, published_on, title, statement, kind, signal, soc, region_code, country, source_key, licence, link
FROM evidence
WHERE country = $country::VARCHAR
  AND CASE WHEN $regions::VARCHAR = ''
           THEN region_code IS NULL OR region_code IN (SELECT code FROM nations())
           WHEN $regions::VARCHAR = 'K02000001' THEN region_code IS NULL OR region_code = 'K02000001'
           ELSE is_in(region_code, $regions::VARCHAR) END
  AND ($soc::VARCHAR = '' OR starts_with(soc, $soc::VARCHAR))
  AND ($kind::VARCHAR = '' OR kind = $kind::VARCHAR)
  AND ($after_on::DATE IS NULL OR published_on < $after_on::DATE
       OR published_on = $after_on::DATE AND id < $after_id::VARCHAR)
ORDER BY published_on DESC, id DESC
LIMIT $limit::BIGINT;
