package state

// Tables are the tables that Copy copies.
func Tables() []string { return tables }

// SyncFile is the function by which a backup is complete on disk.
func SyncFile(path string) error { return syncFile(path) }
