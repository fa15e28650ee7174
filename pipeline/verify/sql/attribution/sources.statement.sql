-- The attribution statement of a source is the one that the specification gives for its kind: "the
-- attribution_statement of every source it came from is shown word for word". For news and plans
-- the specification gives none; the publishers' terms decide.
WITH stated AS (
  SELECT file_row_number, attribution_statement AS given, CASE
      WHEN kind IN ('platform', 'employer_boards') THEN format('Source: {}.', getvariable('platform'))
      WHEN kind = 'geography'
        THEN format('Source: Office for National Statistics licensed under the Open Government Licence v3.0. '
          || 'Contains OS data © Crown copyright and database right {:04d}.', year(getvariable('as_of')::DATE))
      WHEN kind NOT IN ('statistics', 'projections', 'apprenticeships') THEN NULL
      WHEN starts_with(licence, 'Open Government Licence v3.0')
        THEN 'Contains public sector information licensed under the Open Government Licence v3.0.'
      WHEN licence = 'Public domain' THEN 'Source: U.S. Bureau of Labor Statistics.' END AS wanted
  FROM sources)
SELECT file_row_number, CASE
    WHEN contains(given, '<') THEN format('attribution_statement "{}" has a placeholder', given)
    ELSE format('attribution_statement is "{}", not word for word "{}"', given, wanted) END
FROM stated
WHERE NOT regexp_full_match(given, '[\s\pZ]*') AND (contains(given, '<') OR given <> wanted)
