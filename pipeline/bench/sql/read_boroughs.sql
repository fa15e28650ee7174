CREATE TABLE borough AS
SELECT slug AS place, lower(name) AS name
FROM read_json(getvariable('feed') || '/boroughs*', format = 'newline_delimited', columns = {slug: 'VARCHAR', name: 'VARCHAR'})
