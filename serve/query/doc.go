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
// per connection; arguments are bound and never spliced, and have the type of the
// column they are compared with.
//
// Skills not met takes three statements: the adverts that match (the denominators,
// already without groups under the floor), those of them that ask for each skill
// or fall into each bucket (the numerators), and the printed people figures of the
// page. Package ranking makes the shares and scores and the order. In one
// statement DuckDB would plan six joins anew for every call, which takes longer
// than reading the cells. Package lattice says which people figures there are.
//
// Live holds the snapshot that CURRENT names, swaps it under running requests and
// keeps the superseded ones open for the cursors that name them.
//
// Nothing here can show a count of people that must not be shown: the snapshot
// holds printed values only, and package figure refuses any other.
package query
