package store

// Names of files and directories in <data>/snapshots that only the store uses. A snapshot ID
// follows each prefix.
const (
	// hiddenPrefix, followed by a snapshot ID, is the name of the directory in which the snapshot
	// is being written. With "removed-" before the ID, the snapshot is being removed.
	hiddenPrefix = ".tmp-"
	// copyPrefix, followed by a snapshot ID, is the name of the directory to which
	// AddFromOtherStore copies the snapshot. It is kept after an interruption, so that the next
	// call can continue.
	copyPrefix = ".adopt-"
	// currentNewName is the name of a file with new content for CURRENT, until it is renamed to
	// CURRENT.
	currentNewName = ".CURRENT.new"
	// indexNewName is the name of a file with new content for index.json, until it is renamed to
	// index.json.
	indexNewName = ".index.new"
	// currentLockName is the name of the file that is locked while CURRENT or the index changes.
	currentLockName = ".current.lock"
	// writerLockName is the name of the file that is locked while a snapshot is written, or added
	// from another store.
	writerLockName = ".writer.lock"
	// withdrawingPrefix, followed by a snapshot ID, is the name of the record of a withdrawal until
	// the record is renamed.
	withdrawingPrefix = ".withdrawing-"
	// supersededPrefix, followed by a snapshot ID, is the name of a file. Its modification time
	// records when another snapshot last replaced this one as the current one.
	supersededPrefix = ".superseded-"
)
