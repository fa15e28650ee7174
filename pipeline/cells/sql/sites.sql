-- The areas, by their numbers from 0.
SELECT area_kind, place FROM site ORDER BY number
