-- The printed figures of people for one combination of filters: of every skill, or of one skill by
-- place or value.
SELECT skill, place, value, people_turned_down, people_turned_down_status, hired_with_skill, turned_down_with_skill
FROM people
WHERE signature = $signature::TINYINT AND place BETWEEN $place_from::SMALLINT AND $place_to::SMALLINT
  AND value BETWEEN $value_from::SMALLINT AND $value_to::SMALLINT
  AND skill BETWEEN $skill_from::SMALLINT AND $skill_to::SMALLINT;
