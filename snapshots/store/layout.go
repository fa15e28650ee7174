package store

// Names of files and directories in <data>/snapshots that only the store uses. A prefix is followed
// by an ID.
const (
	hiddenPrefix      = ".tmp-"         // a snapshot being written; .tmp-removed- and an ID: being removed
	adoptPrefix       = ".adopt-"       // a snapshot being adopted; kept after an interruption
	currentNewName    = ".CURRENT.new"  // new version of CURRENT before the rename
	indexNewName      = ".index.new"    // new version of index.json before the rename
	currentLockName   = ".current.lock" // locked while CURRENT or the index changes
	writerLockName    = ".writer.lock"  // locked from Begin to Close, and by Adopt
	withdrawingPrefix = ".withdrawing-" // record of a withdrawal before the rename
	supersededPrefix  = ".superseded-"  // its file time is when the snapshot was last replaced
)
