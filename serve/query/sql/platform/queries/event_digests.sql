-- A digest of the events of each partner. The empty partner has the events for all partners.
SELECT partner, digest FROM event_digests ORDER BY partner;
