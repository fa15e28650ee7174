// Package query answers the questions of the interface from a sealed snapshot with
// DuckDB, and nothing else: it keeps no index or cache of rows beside it.
//
// Mount copies the tables of a snapshot into DuckDB files in a temporary directory, one
// for each part: tables that questions join, and that change together. It opens the files
// read-only, takes away all access to anything outside them and locks the configuration.
// The files have no name left once they are open, so that a killed server leaves nothing
// behind. Snapshots whose files are the same share the part, see library.
//
// Every question is one file under sql/<part>/questions, prepared once per connection;
// arguments are bound and never spliced, and have the type of the column they are compared
// with. The vocabularies, which every call looks something up in, are read once.
//
// Skills not met is one statement on every call, skills_unmet.sql for a ranking and
// skills_unmet_by.sql for the breakdown of one skill. They read roll-ups of the advert
// cells, see package snapshots/rollups: small integers in the order of the filters, so that
// DuckDB skips what a filter leaves out. The arguments are a table of one row in them: DuckDB
// plans a statement again in each call if an argument stands in a filter of a table, which
// took two of five milliseconds. combinationOf says which figures of people there are.
//
// Live holds the snapshot that CURRENT names, swaps it under running requests and
// keeps the superseded ones open for the cursors that name them.
//
// Nothing here can show a count of people that must not be shown: the snapshot
// holds printed values only, and package figure refuses any other.
package query
