-- The words of texts that are searched: small letters without accents, each word with a
-- space before it. Apostrophes do not count, and # and + are letters.
CREATE MACRO words(text) AS
  ' ' || trim(regexp_replace(regexp_replace(strip_accents(lower(text)), '[''’]', '', 'g'), '[^\p{L}\p{N}#+]+', ' ', 'g'));
