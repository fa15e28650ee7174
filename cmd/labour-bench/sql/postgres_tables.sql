-- Tables with one row per advert, as an owner of row-level data would have them.
CREATE TABLE advert (area_kind text, place text, sector text, soc text, source text, month date, employer integer);
CREATE TABLE asked (area_kind text, place text, skill text, level integer, sector text, soc text, source text,
                    month date);
