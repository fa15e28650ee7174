-- The small-number rule also applies to the printed values of a change, which are JSON objects.
WITH value AS (
  SELECT file_row_number, "table", unnest(['old', 'new']) AS side, unnest([old, new]) AS printed FROM changes),
people AS (
  SELECT split_part(name, '.', 1) AS "table", split_part(name, '.', 2) AS name
  FROM (SELECT unnest(string_split(getvariable('counts'), ',')) AS name)),
count AS (
  SELECT file_row_number, side, name,
         CASE WHEN json_valid(printed) THEN json_extract(printed, '$.' || name)::VARCHAR
           ELSE 'no JSON object' END AS token
  FROM value JOIN people USING ("table") WHERE printed IS NOT NULL)
SELECT file_row_number, format('{}, {}: {} is neither 0 nor at least 5, "<5" or null', side, name, token)
FROM count
WHERE NOT regexp_full_match(token, 'null|"<5"|0|[5-9]|[1-9][0-9]+')
