// Package parquetio writes and reads Parquet files with the column types of package snapshots. It
// is the only package that uses Apache Arrow.
//
// Equal rows give equal bytes: the file does not depend on the clock, the machine or the number of
// cores. A writer has at most two row groups in memory.
//
// CreateTable, WriteTable and ImportTable write tables of a snapshot, and add the column as_of.
// CreateFile writes files with other columns, and CreateTemporaryFile writes temporary files. The
// package does not sync files to disk; sealing a snapshot does.
package parquetio
