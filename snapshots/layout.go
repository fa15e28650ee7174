package snapshots

import (
	"path"
	"path/filepath"
	"strings"
)

// The names of the files and folders in <data>/snapshots, except those that only package store uses.
// Writers, readers and verifiers use these constants, so that they cannot disagree.
const (
	// DirName is the folder of the snapshots in a data directory.
	DirName = "snapshots"
	// CurrentName is the file with one line: the ID of the published snapshot.
	CurrentName = "CURRENT"
	// IndexName is the file that lists every snapshot ever sealed, including removed ones.
	IndexName = "index.json"

	// ManifestName, SumsName, SignatureName, ReportName, PackageName and
	// ChangesName are files of a snapshot.
	ManifestName  = "manifest.json"
	SumsName      = "SHA256SUMS"
	SignatureName = "SHA256SUMS.minisig"
	ReportName    = "report.json"
	PackageName   = "datapackage.json"
	ChangesName   = "changes.parquet"
	// TablesName and EmbargoedName are folders of a snapshot.
	TablesName    = "tables"
	EmbargoedName = "embargoed"

	tableExt        = ".parquet"
	withdrawnSuffix = ".withdrawn.json" // after an ID: a note that the snapshot must not be served, and why
)

// SnapshotsDir returns the folder of the snapshots in a data directory.
func SnapshotsDir(data string) string { return filepath.Join(data, DirName) }

// TableFileName returns the path of a table inside a snapshot, with forward slashes as in the
// manifest: tables/<name>.parquet.
func TableFileName(table string) string { return path.Join(TablesName, table+tableExt) }

// TablePath returns the path of a table of the snapshot in dir.
func TablePath(dir, table string) string { return JoinPath(dir, TableFileName(table)) }

// EmbargoedFileName returns the path of an embargoed dataset inside a snapshot:
// embargoed/<name>.parquet.
func EmbargoedFileName(dataset string) string { return path.Join(EmbargoedName, dataset+tableExt) }

// WithdrawnFileName returns the name of the file that records the withdrawal of a snapshot. It is
// in the folder of the snapshots.
func WithdrawnFileName(id ID) string { return string(id) + withdrawnSuffix }

// WithdrawnID returns the snapshot ID in the name of a withdrawal file; false for any other file
// name.
func WithdrawnID(name string) (ID, bool) {
	name, ok := strings.CutSuffix(name, withdrawnSuffix)
	id, err := ParseID(name)
	return id, ok && err == nil
}

// JoinPath joins dir and a path from a manifest, which has forward slashes on every system.
func JoinPath(dir, name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }

// TableOfFile returns the name of the table whose file has the given path in a snapshot; false if the
// path is not a table's.
func TableOfFile(name string) (string, bool) {
	dir, file := path.Split(name)
	if dir != TablesName+"/" || !strings.HasSuffix(file, tableExt) {
		return "", false
	}
	return strings.TrimSuffix(file, tableExt), true
}
