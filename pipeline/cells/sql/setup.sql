-- What one run knows beside the staged rows: its dates, the places that are
-- served and the names of the groups. Filled by bound arguments.
CREATE TABLE run (as_of DATE, people_as_of DATE);
CREATE TABLE borough (place VARCHAR, code VARCHAR);
CREATE TABLE member (area VARCHAR, borough VARCHAR);
CREATE TABLE skill (number SMALLINT, skill VARCHAR, reference_level TINYINT);
CREATE TABLE source (key VARCHAR, licence VARCHAR, link VARCHAR);
