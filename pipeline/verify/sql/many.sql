-- How many faults an answer has.
SELECT count(*) FROM ({question})
