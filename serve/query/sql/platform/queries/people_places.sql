-- The places for which counts of people were made; the empty place is the whole platform.
SELECT place FROM people_places;
