// Package query answers the labour questions from a sealed snapshot with DuckDB.
// It is the only place under serve that knows DuckDB.
//
// Mount copies the Parquet tables of a snapshot into a DuckDB file of its own in
// a temporary directory, in the orders and roll-ups that make every question of
// skills not met read at most about Options.DirectCells cells, opens that file
// read-only, takes away all access to anything outside it and locks the
// configuration. The file has no name left once it is open, so that a killed
// server leaves nothing behind.
//
// Every question is SQL from embedded files under sql/questions, prepared once
// per connection; arguments are bound and never spliced. The questions about
// skills not met are put together from three fragments (denominators, numerators,
// ranking), each a file of its own; statements.go lists which.
//
// Live holds the snapshot that CURRENT names, swaps it under running requests and
// keeps the superseded ones open for the cursors that name them.
//
// Nothing here can show a count of people that must not be shown: the snapshot
// holds printed values only, and package figure refuses any other.
package query
