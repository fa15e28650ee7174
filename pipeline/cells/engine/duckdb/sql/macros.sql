-- Defines functions of Apache Spark that DuckDB does not have, so that both engines run the same
-- queries.
CREATE MACRO timestamp_micros(micros) AS make_timestamp(micros);
CREATE MACRO array_join(list, separator) AS list_reduce(list, lambda whole, next: whole || separator || next);
