package store

// The names in <data>/snapshots that only the store uses.
const (
	hiddenPrefix = ".tmp-" // a directory being written, or being removed
	// followed by an ID: a snapshot being adopted, kept when the adoption is interrupted
	adoptPrefix     = ".adopt-"
	currentNewName  = ".CURRENT.new"  // new version of CURRENT before the rename
	indexNewName    = ".index.new"    // new version of index.json before the rename
	currentLockName = ".current.lock" // locked while CURRENT changes
	writerLockName  = ".writer.lock"  // locked from Begin to Close

	withdrawingPrefix = ".withdrawing-" // followed by an ID: the note of a withdrawal before its rename
	supersededPrefix  = ".superseded-"  // followed by an ID: the snapshot was current until this file's time
)
