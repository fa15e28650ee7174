-- Counts the adverts that ask for one skill in each list that matches the filters.
SELECT r.list, r.adverts
FROM lists l
JOIN rankings_by_skill r ON r.list = l.list
WHERE r.skill = $skill::SMALLINT
  AND l.window_months = $window::TINYINT AND l.months_back BETWEEN $back_from::TINYINT AND $back_to::TINYINT
  AND l.source = $source::SMALLINT AND l.soc BETWEEN $soc_from::INTEGER AND $soc_to::INTEGER
  AND l.sector BETWEEN $sector_from::SMALLINT AND $sector_to::SMALLINT
  AND l.place BETWEEN $place_from::SMALLINT AND $place_to::SMALLINT;
