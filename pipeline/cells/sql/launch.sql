-- How many months before people_as_of's month the oldest outcome is, at most 23.
-- Before it nobody was counted, as everybody knows.
SELECT coalesce(max(age), 0)::INTEGER AS age FROM oldest
