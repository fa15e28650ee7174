CREATE TABLE resident AS
SELECT id, borough, skills
FROM read_json(getvariable('feed') || '/residents*', format = 'newline_delimited', columns = {
  id: 'VARCHAR', borough: 'VARCHAR', skills: 'STRUCT(skill VARCHAR, "level" TINYINT)[]'})
