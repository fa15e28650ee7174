// Package parquetio writes and reads Parquet files for the column types of
// package snapshots. It is the only package that knows Apache Arrow.
//
// The same rows give the same bytes: one goroutine at a time writes, rows are kept in the
// order given, nothing of the clock or of the machine enters the file. Memory is
// bounded by two row groups, whatever the size of the file.
//
// It serves three kinds of file. The tables of a snapshot have the schemas of snapshots.Tables and
// a column as_of that the writer adds (CreateTable, WriteTable, Import). Files of the protected
// zone have schemas of their own (Create), and those that are read once are packed for speed
// (CreateScratch). Nothing here syncs: sealing a snapshot does.
package parquetio
