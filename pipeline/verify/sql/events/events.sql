-- The table has only events that all partners may see: "An application or an outcome is about a
-- person: [it is shown] to the partner it belongs to and to nobody else."
SELECT file_row_number,
       CASE WHEN partner <> '' THEN 'it is an event of a partner'
         ELSE format('{} is about a person', coalesce('outcome ' || outcome, type)) END
FROM events
WHERE partner <> '' OR type IN ('application.created', 'outcome.recorded') OR outcome IS NOT NULL
