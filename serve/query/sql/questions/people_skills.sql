-- Skills not met, printed people figures of one cell of the lattice, for the
-- skills of one page.
SELECT skill, turned_down, turned_down_status, hired_with, turned_down_with
FROM people_by_cell
WHERE signature = $signature::UTINYINT
  AND months = $people_months::UTINYINT
  AND place = $people_place::USMALLINT
  AND value = $people_value::INTEGER
  AND list_contains($skill_codes::UINTEGER[], skill);
