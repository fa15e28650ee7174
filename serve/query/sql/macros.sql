-- The words of texts that are searched: small letters without accents, each word with a
-- space before it. Apostrophes do not count, and # and + are letters.
CREATE MACRO words(text) AS
  ' ' || trim(regexp_replace(regexp_replace(strip_accents(lower(text)), '[''’]', '', 'g'),
                             '[^\p{L}\p{N}#+]+', ' ', 'g'));
-- A printed count of people in JSON: a number, "<5", or NULL without a figure.
CREATE MACRO printed(number, status) AS CASE status WHEN 'number' THEN number::VARCHAR WHEN 'under_5' THEN '"<5"' END;
