package store

// Names of files and directories in <data>/snapshots that only the store uses. A prefix is followed
// by an ID.
const (
	// name prefix, before the snapshot ID, of the directory of a snapshot that is being written.
	// With "removed-" in between, the snapshot is being removed.
	hiddenPrefix = ".tmp-"
	// name prefix, before the snapshot ID, of the directory of a snapshot that is being adopted
	// from another store; the directory is kept after an interruption
	adoptPrefix = ".adopt-"
	// name of the file with the new content of CURRENT, until it is renamed to CURRENT
	currentNewName = ".CURRENT.new"
	// name of the file with the new content of index.json, until it is renamed to index.json
	indexNewName    = ".index.new"
	currentLockName = ".current.lock" // file that is locked while CURRENT or the index changes
	// file that is locked while a snapshot is written or adopted
	writerLockName = ".writer.lock"
	// name prefix, before the snapshot ID, of the record of a withdrawal until it is renamed
	withdrawingPrefix = ".withdrawing-"
	// name prefix, before the snapshot ID, of a file whose time is when the snapshot was last
	// replaced as the current one
	supersededPrefix = ".superseded-"
)
