-- The jobs of Lever boards, where their place begins with a borough's name.
INSERT INTO advert
SELECT j.id, filename, '', '', 'employer_boards', date_trunc('month', epoch_ms(TRY_CAST(j.createdAt AS BIGINT)))::DATE,
       CASE WHEN b.place IS NOT NULL THEN [b.place] END, [], length(j.descriptionPlain)
FROM read_json(getvariable('lever'), filename = true, format = 'array', ignore_errors = true, maximum_object_size = 67108864, columns = {
  id: 'VARCHAR', text: 'VARCHAR', createdAt: 'VARCHAR', categories: 'STRUCT("location" VARCHAR)', descriptionPlain: 'VARCHAR'}) j
LEFT JOIN borough b ON b.name = lower(split_part(j.categories.location, ',', 1))
