-- The words of a text, for searching: in lower case, without accents, each with a space before it.
-- Apostrophes are dropped, and # and + count as letters.
CREATE MACRO words(text) AS
  ' ' || trim(regexp_replace(regexp_replace(strip_accents(lower(text)), '[''’]', '', 'g'),
                             '[^\p{L}\p{N}#+]+', ' ', 'g'));
-- A printed count of people as JSON: a number, "<5", or NULL if there is no figure.
CREATE MACRO printed(number, status) AS CASE status WHEN 'number' THEN number::VARCHAR WHEN 'under_5' THEN '"<5"' END;
-- The nations of the United Kingdom. Their figures are national also in a snapshot without the
-- official areas.
CREATE MACRO nations() AS TABLE
  SELECT * FROM (VALUES ('E92000001', 'England'), ('N92000002', 'Northern Ireland'), ('S92000003', 'Scotland'),
                        ('W92000004', 'Wales')) AS listed(code, name);
-- Whether an area code is one of the given codes, which are separated by commas.
CREATE MACRO is_in(area_code, codes) AS list_contains(string_split(codes, ','), area_code);
-- Whether each searched word begins a word of a text. first_word has a space before it. The other
-- words are separated by spaces.
CREATE MACRO has_words(searched, first_word, more_words) AS
  (first_word = '' OR contains(searched, first_word))
  AND (more_words = ''
       OR list_bool_and([contains(searched, ' ' || word) FOR word IN string_split(more_words, ' ')]));
