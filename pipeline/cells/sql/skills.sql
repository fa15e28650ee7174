-- The skills of the register, by their numbers from 0.
SELECT skill FROM skill ORDER BY number
