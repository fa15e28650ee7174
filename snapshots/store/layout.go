package store

// Names of files and directories in <data>/snapshots that only the store uses. A prefix is followed
// by an ID.
const (
	// before an ID: directory of a snapshot that is being written; with "removed-" in between, one
	// that is being removed
	hiddenPrefix = ".tmp-"
	// before an ID: directory of a snapshot that is being adopted from another store; kept after
	// an interruption
	adoptPrefix = ".adopt-"
	// file with the new content of CURRENT, before it is renamed
	currentNewName = ".CURRENT.new"
	// file with the new content of index.json, before it is renamed
	indexNewName    = ".index.new"
	currentLockName = ".current.lock" // file that is locked while CURRENT or the index changes
	// file that is locked while a snapshot is written or adopted
	writerLockName = ".writer.lock"
	// before an ID: record of a withdrawal, before it is renamed
	withdrawingPrefix = ".withdrawing-"
	// before an ID: file whose time is when the snapshot was last replaced as the current one
	supersededPrefix = ".superseded-"
)
