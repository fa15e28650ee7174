-- Live vacancies within some distances of each ward. A page begins after a position.
SELECT position, ward_code, ward_name, council_code, within_km, vacancies, vacancies_placed_by_council, source_keys
FROM embargoed_reach
WHERE position > $after::BIGINT
  AND ($ward::VARCHAR = '' OR ward_code = $ward::VARCHAR)
  AND ($council::VARCHAR = '' OR council_code = $council::VARCHAR)
  AND ($within_km::BIGINT = 0 OR within_km = $within_km::BIGINT)
ORDER BY position
LIMIT $limit::BIGINT;
