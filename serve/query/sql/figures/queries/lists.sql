-- The lists that match the filters: one, or one for each bucket of a breakdown.
SELECT list, place, sector, soc, months_back::INTEGER, adverts, in_council, in_area, sources
FROM lists
WHERE window_months = $window::TINYINT AND source = $source::SMALLINT
  AND soc BETWEEN $soc_from::INTEGER AND $soc_to::INTEGER
  AND sector BETWEEN $sector_from::SMALLINT AND $sector_to::SMALLINT
  AND place BETWEEN $place_from::SMALLINT AND $place_to::SMALLINT
  AND months_back BETWEEN $back_from::TINYINT AND $back_to::TINYINT;
