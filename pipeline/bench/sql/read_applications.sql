-- The applications that ended, with the skills that their role asked for.
CREATE TABLE application AS
SELECT id, resident, advert, outcome, outcome_recorded_at AS recorded_at, skills
FROM read_json(getvariable('feed') || '/applications*', format = 'newline_delimited', columns = {
  id: 'VARCHAR', resident: 'VARCHAR', advert: 'VARCHAR', outcome: 'VARCHAR', outcome_recorded_at: 'TIMESTAMP',
  skills: 'STRUCT(skill VARCHAR, asked_level TINYINT, held_level TINYINT, turned_down_for BOOLEAN)[]'})
WHERE outcome IN ('hired', 'turned_down')
