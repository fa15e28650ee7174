-- The places by code; that of 0 is the whole country and has no name.
SELECT code, place, name, area_kind, council FROM places ORDER BY code;
