-- Live vacancies per day and occupation; a page begins after a position.
SELECT position, day, soc, occupation, vacancies, source_keys
FROM embargoed_demand
WHERE position > $after::BIGINT
  AND ($soc::VARCHAR = '' OR starts_with(soc, $soc::VARCHAR))
ORDER BY position
LIMIT $limit::BIGINT;
