-- Growing, shrinking and steady occupations. A page begins after a position.
SELECT position, digits, direction, rank, soc, occupation, vacancies, previous_vacancies, change,
       window_from, window_to, previous_from, previous_to, source_keys
FROM embargoed_trends
WHERE position > $after::BIGINT
  AND ($digits::BIGINT = 0 OR digits = $digits::BIGINT)
  AND ($direction::VARCHAR = '' OR direction = $direction::VARCHAR)
  AND ($soc::VARCHAR = '' OR starts_with(soc, $soc::VARCHAR))
ORDER BY position
LIMIT $limit::BIGINT;
