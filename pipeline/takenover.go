package pipeline

import (
	"os"
	"path/filepath"

	"labour/sources/archive"
)

// noteTakenOver says once that the data directory of an earlier version was taken over,
// and which of its files nothing reads any more: the records of the archive, which are
// filed by source now, and what the earlier protection of people remembered.
func (o *Options) noteTakenOver() {
	noted := o.protected("TAKEN-OVER")
	if _, err := os.Stat(noted); err == nil {
		return
	}
	var unused []string
	for _, name := range []string{"ledger", "audit", filepath.Join("archive", "*"+archive.TakenOver)} {
		found, _ := filepath.Glob(o.protected(name)) // only a bad pattern is an error
		unused = append(unused, found...)
	}
	if len(unused) == 0 {
		return
	}
	o.Log.Warn("the data directory of an earlier version was taken over; these of its files are not used any more and may be deleted", "files", unused)
	if err := os.WriteFile(noted, nil, 0o600); err != nil {
		o.Log.Warn("cannot note that the data directory was taken over", "error", err)
	}
}
