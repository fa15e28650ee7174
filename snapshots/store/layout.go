package store

// Names of files and directories in <data>/snapshots that only the store uses. A prefix is followed
// by an ID.
const (
	// start of the name of a directory in which a snapshot is being written; the snapshot ID
	// follows. If "removed-" is between the two, the snapshot is being removed.
	hiddenPrefix = ".tmp-"
	// start of the name of the directory into which AddFromOtherStore has a snapshot copied; the
	// snapshot ID follows. The directory is kept after an interruption, so that the next call can
	// continue.
	copyPrefix = ".adopt-"
	// name of the file with the new content of CURRENT, until it is renamed to CURRENT
	currentNewName = ".CURRENT.new"
	// name of the file with the new content of index.json, until it is renamed to index.json
	indexNewName    = ".index.new"
	currentLockName = ".current.lock" // file that is locked while CURRENT or the index changes
	// file that is locked while a snapshot is written or adopted
	writerLockName = ".writer.lock"
	// start of the name of the record of a withdrawal until it is renamed; the snapshot ID follows
	withdrawingPrefix = ".withdrawing-"
	// start of the name of a file whose modification time records when a snapshot was last replaced
	// as the current one; the snapshot ID follows
	supersededPrefix = ".superseded-"
)
