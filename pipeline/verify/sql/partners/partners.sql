-- A file of events of a partner has those of no other.
SELECT file_row_number, 'it is an event of another partner'
FROM partners
WHERE partner <> getvariable('partner')
