// Package query answers API requests from a sealed snapshot (one published, unchangeable version of
// the data). It runs SQL in DuckDB.
//
// # Mounting
//
// Mount copies the tables of a snapshot into DuckDB files in a temporary directory. There is one
// file for each part (tables that queries join and that change together). DuckDB opens the files
// read-only, with a locked configuration and no access to other files. The files are unlinked once
// they are open, so that a killed server leaves nothing behind. Snapshots whose files are the same
// share a part, see library.
//
// # Queries
//
// Every query is one file under sql/<part>/queries, prepared once per connection. Arguments are
// bound, and have the type of the column that they are compared with. Vocabularies (the known
// places, sectors, skills and occupations) and small tables are read once and kept in memory. Other
// rows are not cached. Large tables are stored in the order of their pages, so that a page needs no
// sorting.
//
// # Unmet skills
//
// A query for unmet skills (those that adverts require and residents lack) runs up to three
// statements. The first finds the list (the stored ranking for the filters), which exists if enough
// adverts match. The second reads the skills of the list, and the third the figures about people.
// ranking.go computes share, score, order and page on every call. The breakdown of a skill reads
// the same lists by skill. Months and levels have no stored rankings; their adverts are counted
// from cells (counts for one combination of filters). combinationOf decides whether a query has
// figures about people.
//
// # Current and superseded snapshots
//
// SnapshotSource holds the current snapshot and replaces it while requests run. It keeps some
// superseded snapshots open, because cursors refer to them.
//
// # Confidentiality
//
// This package cannot disclose a confidential count of people. The snapshot contains only counts
// that may be published, and package figure refuses others.
package query
