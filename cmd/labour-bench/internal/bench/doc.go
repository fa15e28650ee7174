// Package bench measures the service as a partner meets it, over HTTP, beside what
// one would otherwise choose: the same question asked of row-level tables, in
// Parquet with DuckDB and in PostgreSQL.
//
// The row-level tables are made out of the advert cells of the snapshot that is
// served, one row per advert, place and skill, so that all three give the same
// shares; this is compared before anything is measured. They hold the adverts
// alone, already joined with their places and skills and without any count of
// people, which is less than the service answers.
package bench
