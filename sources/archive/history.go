package archive

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"labour/sources"
)

// Fetches gives each the record of every download of a source, oldest first, those
// that failed too. An error of each ends it.
func (a *Archive) Fetches(source string, each func(Fetch) error) error {
	j := journal{path: a.fetches.path} // from the beginning, whatever was read before
	return j.scan(func(_ int64, b []byte) error {
		var f Fetch
		if err := json.Unmarshal(b, &f); err != nil {
			return errors.Join(sources.ErrDamaged, fmt.Errorf("a fetch: %w", err))
		}
		if f.Source != source {
			return nil
		}
		return each(f)
	})
}

// Has says whether a body is filed under that SHA-256 (lower-case hex). Whether its
// bytes are still those that were received shows when it is read.
func (a *Archive) Has(sha string) bool {
	_, err := os.Stat(a.Path(sha))
	return err == nil
}
