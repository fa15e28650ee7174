package archive

import (
	"os"
	"path/filepath"
	"time"

	"labour/sources/journal"
)

// Fetches gives each the record of every download of a source, oldest first, those
// that failed too. An error of each ends it.
func (a *Archive) Fetches(source string, each func(Fetch) error) error {
	for line, err := range journal.New(filepath.Join(a.dir, fetches, source+suffix), 0o600).Lines() {
		if err != nil {
			return err
		}
		var f Fetch
		if err := decode(line, &f); err != nil {
			return err
		}
		if err := each(f); err != nil {
			return err
		}
	}
	return nil
}

// FirstAt is when the first extract of a source was made; the zero time when there is
// none.
func (a *Archive) FirstAt(source string) (time.Time, error) {
	for line, err := range journal.New(filepath.Join(a.dir, extracts, source+suffix), 0o600).Lines() {
		if err != nil {
			return time.Time{}, err
		}
		var x struct {
			At time.Time `json:"at"`
		}
		return x.At, decode(line, &x)
	}
	return time.Time{}, nil
}

// Has reports whether a body is filed under that SHA-256 (lower-case hex). Whether its
// bytes are still those that were received shows when it is read.
func (a *Archive) Has(sha string) bool {
	_, err := os.Stat(a.Path(sha))
	return err == nil
}
