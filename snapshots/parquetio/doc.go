// Package parquetio writes and reads Parquet files for the column types of package snapshots. It is
// the only package that uses Apache Arrow.
//
// The same rows give the same bytes: one goroutine at a time writes, rows keep their order, and the
// file does not depend on the clock or the machine. Memory is bounded by two row groups, whatever
// the size of the file.
//
// It handles three kinds of file. The tables of a snapshot have the schemas of snapshots.Tables and
// a column as_of that the writer adds (CreateTable, WriteTable, Import). Files of the protected
// zone have their own schemas (Create). Files that are read once are compressed for speed
// (CreateScratch). This package does not sync files; sealing a snapshot does.
package parquetio
