-- The jobs of Ashby boards, where their place begins with a borough's name.
INSERT INTO advert
WITH posting AS (
  SELECT filename, unnest(jobs) AS j
  FROM read_json(getvariable('ashby'), filename = true, format = 'unstructured', ignore_errors = true, maximum_object_size = 67108864, columns = {
    jobs: 'STRUCT(id VARCHAR, title VARCHAR, publishedAt VARCHAR, location VARCHAR, descriptionPlain VARCHAR)[]'}))
SELECT j.id, filename, '', '', 'employer_boards', date_trunc('month', TRY_CAST(j.publishedAt[:10] AS DATE))::DATE,
       CASE WHEN b.place IS NOT NULL THEN [b.place] END, [], length(j.descriptionPlain)
FROM posting LEFT JOIN borough b ON b.name = lower(split_part(j.location, ',', 1))
