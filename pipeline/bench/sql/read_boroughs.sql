CREATE TABLE borough AS
SELECT slug AS place FROM read_json(getvariable('feed') || '/boroughs*', format = 'newline_delimited', columns = {slug: 'VARCHAR'})
