package snapshots

import (
	"path"
	"path/filepath"
	"strings"
)

// The names of the files and folders in <data>/snapshots, except those that only package store
// uses. Writers, readers and verifiers use these constants, so that they cannot disagree.
const (
	// SnapshotsDirName is the name of the folder of snapshots in a data directory.
	SnapshotsDirName = "snapshots"
	// CurrentFileName is the name of the file that contains the ID of the current (published)
	// snapshot, in one line.
	CurrentFileName = "CURRENT"
	// IndexFileName is the name of the file that lists every snapshot ever sealed, including removed
	// ones.
	IndexFileName = "index.json"

	// ManifestFileName, SumsFileName, SignatureFileName, ReportFileName, DataPackageFileName and
	// ChangesFileName are the names of files in a snapshot.
	ManifestFileName    = "manifest.json"
	SumsFileName        = "SHA256SUMS"
	SignatureFileName   = "SHA256SUMS.minisig"
	ReportFileName      = "report.json"
	DataPackageFileName = "datapackage.json"
	ChangesFileName     = "changes.parquet"
	// TablesDirName and EmbargoedDirName are the names of folders in a snapshot.
	TablesDirName    = "tables"
	EmbargoedDirName = "embargoed"

	tableExt = ".parquet"
	// end of the name of a file that states why a snapshot must not be served; the snapshot ID
	// precedes it
	withdrawnSuffix = ".withdrawn.json"
)

// SnapshotsDir returns the folder of the snapshots in a data directory.
func SnapshotsDir(data string) string { return filepath.Join(data, SnapshotsDirName) }

// TableFileName returns the path of a table inside a snapshot, with forward slashes as in the
// manifest: tables/<name>.parquet.
func TableFileName(table string) string { return path.Join(TablesDirName, table+tableExt) }

// TablePath returns the path of a table's file in the snapshot in dir.
func TablePath(dir, table string) string { return JoinPath(dir, TableFileName(table)) }

// EmbargoedFileName returns the path of an embargoed dataset inside a snapshot:
// embargoed/<name>.parquet.
func EmbargoedFileName(dataset string) string { return path.Join(EmbargoedDirName, dataset+tableExt) }

// WithdrawnFileName returns the name of the file that records the withdrawal of a snapshot. It is
// in the folder of the snapshots.
func WithdrawnFileName(id ID) string { return string(id) + withdrawnSuffix }

// WithdrawnID returns the snapshot ID in the name of a withdrawal file; ok is false for any other
// file name.
func WithdrawnID(name string) (ID, bool) {
	name, ok := strings.CutSuffix(name, withdrawnSuffix)
	id, err := ParseID(name)
	return id, ok && err == nil
}

// JoinPath joins dir and a path from a manifest. The path has forward slashes on every system.
func JoinPath(dir, name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }

// TableOfFile returns the name of the table whose file has the given path in a snapshot; ok is
// false if it is not the path of a table.
func TableOfFile(name string) (string, bool) {
	dir, file := path.Split(name)
	if dir != TablesDirName+"/" || !strings.HasSuffix(file, tableExt) {
		return "", false
	}
	return strings.TrimSuffix(file, tableExt), true
}
