-- The words of a text, for searching: in lower case, without accents, each with a space before it.
-- Apostrophes are dropped, and # and + count as letters.
CREATE MACRO words(text) AS
  ' ' || trim(regexp_replace(regexp_replace(strip_accents(lower(text)), '[''’]', '', 'g'),
                             '[^\p{L}\p{N}#+]+', ' ', 'g'));
-- A printed count of people as JSON: a number, "<5", or NULL if there is no figure.
CREATE MACRO printed(number, status) AS CASE status WHEN 'number' THEN number::VARCHAR WHEN 'under_5' THEN '"<5"' END;
