-- A printed count of people is 0, at least 5, "<5" or not published: "A count of people from 1 to 4
-- is never a number and never 0. It is the string "<5"."
SELECT file_row_number, CASE
    WHEN {column}_status = 'number' AND {column} IS NULL THEN '{column}: status number without a value'
    WHEN {column}_status = 'number'
      THEN format('{column}: value {}: a count of people from 1 to 4 must not be held as a number', {column})
    WHEN {column} IS NOT NULL THEN format('{column}: status "{}" with a value', {column}_status)
    ELSE format('{column}: unknown status "{}"', {column}_status) END
FROM {table}
WHERE NOT CASE WHEN {column}_status = 'number' THEN coalesce({column} = 0 OR {column} >= 5, false)
               ELSE {column} IS NULL AND {column}_status IN ('', 'under_5') END
