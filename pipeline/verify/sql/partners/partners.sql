-- A partner's file of events has no events of other partners.
SELECT file_row_number, 'it is an event of another partner'
FROM partners
WHERE partner <> getvariable('partner')
