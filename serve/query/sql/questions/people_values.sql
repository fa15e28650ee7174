-- Skills not met, printed people figures of one skill for every sector,
-- occupation, level or month of a place.
SELECT value, turned_down, turned_down_status, hired_with, turned_down_with
FROM people_by_skill
WHERE skill = $skill_code::UINTEGER
  AND signature = $signature::UTINYINT
  AND months = $people_months::UTINYINT
  AND place = $people_place::USMALLINT;
