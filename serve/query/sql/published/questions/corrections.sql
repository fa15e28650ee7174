-- The operator's corrections of published figures.
SELECT record, old, new, reason FROM corrections ORDER BY record;
