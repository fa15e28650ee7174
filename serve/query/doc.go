// Package query runs the queries of the API on a sealed snapshot with DuckDB. It has no other index,
// and no cache of rows but that of small tables.
//
// Mount copies the tables of a snapshot into DuckDB files in a temporary directory, one for each
// part: tables that queries join, and that change together. It opens the files read-only, disables
// access to anything outside them and locks the configuration. The files are unlinked once they are
// open, so that a killed server leaves nothing behind. Snapshots whose files are the same share the
// part, see library.
//
// Every query is one file under sql/<part>/questions, prepared once per connection. Arguments are
// bound and never spliced, and have the type of the column they are compared with. The vocabularies
// are read once, because every call uses them, and so are the small tables of the platform. A table
// with long lists is loaded in their order, so that a page is cut from it without sorting.
//
// A query for skills not met runs up to three statements, each by key: the list for the filters,
// which the snapshot has if enough adverts match; the skills of its ranking; and the people of its
// combination. Share, score, order and page are computed from their rows on every call, in
// ranking.go. The breakdown of a skill reads the same lists in the order of skills. Months and
// levels have no rankings; they are counted from the cells of adverts and then treated in the same
// way. combinationOf decides which figures of people exist.
//
// Live holds the current snapshot, replaces it while requests run, and keeps superseded ones open
// for cursors with their ids.
//
// This package cannot disclose a confidential count of people: the snapshot contains only printed
// values, and package figure refuses others.
package query
