package snapshots

import (
	"path"
	"path/filepath"
	"strings"
)

// The names of files and folders in <data>/snapshots. Writers, readers and verifiers use these
// constants, so that they cannot disagree. Package store has further names that only it uses.
const (
	// SnapshotsDirName is the name of the folder, in a data directory, that contains the snapshots.
	SnapshotsDirName = "snapshots"
	// CurrentFileName is the name of the file that contains the ID of the current (published)
	// snapshot, in one line.
	CurrentFileName = "CURRENT"
	// IndexFileName is the name of the file that lists every snapshot ever sealed, including removed
	// ones.
	IndexFileName = "index.json"

	// ManifestFileName is the name of the file that lists the contents of a snapshot and its inputs.
	ManifestFileName = "manifest.json"
	// SumsFileName is the name of the file with the SHA-256 of a snapshot's other files.
	SumsFileName = "SHA256SUMS"
	// SignatureFileName is the name of the file with the signature of SHA256SUMS.
	SignatureFileName = "SHA256SUMS.minisig"
	// ReportFileName is the name of the file that describes the run that built a snapshot.
	ReportFileName = "report.json"
	// DataPackageFileName is the name of the file that describes a snapshot's tables to standard
	// tools, as a Frictionless Data Package.
	DataPackageFileName = "datapackage.json"
	// ChangesFileName is the name of the file with the differences from the previous snapshot.
	ChangesFileName = "changes.parquet"
	// TablesDirName is the name of the folder, in a snapshot's directory, that contains the tables.
	TablesDirName = "tables"
	// EmbargoedDirName is the name of the folder, in a snapshot's directory, that contains the
	// embargoed datasets.
	EmbargoedDirName = "embargoed"

	// tableExt ends the name of the file of a table or an embargoed dataset.
	tableExt = ".parquet"
	// withdrawnSuffix ends the name of a file that states why a snapshot must not be served. The
	// name begins with the snapshot ID, as in 2026-11-20.1.withdrawn.json.
	withdrawnSuffix = ".withdrawn.json"
)

// SnapshotsDir returns the path of the folder, in a data directory, that contains the snapshots.
func SnapshotsDir(data string) string { return filepath.Join(data, SnapshotsDirName) }

// TableFileName returns the path of a table's file inside a snapshot: tables/<name>.parquet. It has
// forward slashes on every system, as in the manifest.
func TableFileName(table string) string { return path.Join(TablesDirName, table+tableExt) }

// TablePath returns the path of a table's file in the snapshot in dir.
func TablePath(dir, table string) string { return JoinPath(dir, TableFileName(table)) }

// EmbargoedFileName returns the path of an embargoed dataset's file inside a snapshot:
// embargoed/<name>.parquet. It has forward slashes on every system.
func EmbargoedFileName(dataset string) string { return path.Join(EmbargoedDirName, dataset+tableExt) }

// WithdrawnFileName returns the name of the file that records the withdrawal of a snapshot, such as
// 2026-11-20.1.withdrawn.json. The file is in the folder that contains the snapshots.
func WithdrawnFileName(id ID) string { return string(id) + withdrawnSuffix }

// WithdrawnID returns the snapshot ID from the name of a file that records a withdrawal. It returns
// false for any other file name.
func WithdrawnID(name string) (ID, bool) {
	name, ok := strings.CutSuffix(name, withdrawnSuffix)
	id, err := ParseID(name)
	return id, ok && err == nil
}

// JoinPath joins the directory dir and a path from a manifest, such as "tables/jobs.parquet". It
// replaces the forward slashes by the separator of the operating system.
func JoinPath(dir, name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }

// TableOfFile returns the table name in a path of a manifest: "jobs" for "tables/jobs.parquet". It
// returns false if the path is not the path of a table.
func TableOfFile(name string) (string, bool) {
	dir, file := path.Split(name)
	if dir != TablesDirName+"/" || !strings.HasSuffix(file, tableExt) {
		return "", false
	}
	return strings.TrimSuffix(file, tableExt), true
}
