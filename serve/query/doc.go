// Package query answers the labour questions from a sealed snapshot with DuckDB.
// It is the only place under serve that knows DuckDB.
//
// Mount copies the published tables and the platform's records of a snapshot into
// a DuckDB file of its own in a temporary directory, opens that file read-only,
// takes away all access to anything outside it and locks the configuration. The
// file has no name left once it is open, so that a killed server leaves nothing
// behind. The advert cells and the printed people figures are read into memory, see
// package tally, and so are the live jobs and the events.
//
// Every other question is SQL from embedded files under sql/questions, prepared once
// per connection; arguments are bound and never spliced, and have the type of the
// column they are compared with. The vocabularies, which every call looks something up
// in, are asked for once, by the files of sql/mount.
//
// Skills not met is added up in package tally, on every call: how many adverts
// match (the denominators, without groups under the floor), how many of them ask
// for each skill or fall into each bucket (the numerators), and the printed people
// figures of the page. Package ranking makes the shares and scores and the order,
// and package lattice says which people figures there are. DuckDB needs two to
// three milliseconds of a processor to plan and run the three statements that say
// the same, whatever there is to add up, and most of a minute to sort a country's
// cells into roll-ups at every mount.
//
// Live holds the snapshot that CURRENT names, swaps it under running requests and
// keeps the superseded ones open for the cursors that name them.
//
// Nothing here can show a count of people that must not be shown: the snapshot
// holds printed values only, and package figure refuses any other.
package query
