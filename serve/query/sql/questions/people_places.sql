-- Skills not met, printed people figures of one skill in every place.
SELECT place, turned_down, turned_down_status, hired_with, turned_down_with
FROM people_by_skill
WHERE skill = $skill_code::UINTEGER
  AND signature = $signature::UTINYINT
  AND months = $people_months::UTINYINT
  AND value = $people_value::INTEGER;
