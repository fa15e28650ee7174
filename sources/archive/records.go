package archive

import (
	"encoding/json"
	"fmt"
	"sort"
	"time"

	"labour/sources"
)

// Outcome is how one download ended.
type Outcome string

// The outcomes of a download.
const (
	Fetched   Outcome = "fetched"   // new bytes
	Same      Outcome = "same"      // the publisher sent the bytes that were there already
	Unchanged Outcome = "unchanged" // the publisher said that nothing changed; nothing was sent
	Failed    Outcome = "failed"    // no bytes; Detail says why
)

// Fetch is the record of one download.
type Fetch struct {
	Source       string    `json:"source"`
	Name         string    `json:"name"`
	URL          string    `json:"url"` // without secrets
	Status       int       `json:"status,omitempty"`
	ETag         string    `json:"etag,omitempty"`
	LastModified string    `json:"last_modified,omitempty"`
	ContentType  string    `json:"content_type,omitempty"`
	At           time.Time `json:"at"`
	SHA256       string    `json:"sha256,omitempty"` // "" when it failed
	Bytes        int64     `json:"bytes"`
	ReceivedAt   time.Time `json:"received_at,omitzero"` // when these bytes were first received
	Outcome      Outcome   `json:"outcome"`
	Detail       string    `json:"detail,omitempty"`
}

// entry is where one extract stands in the journal.
type entry struct {
	source string
	at     time.Time
	offset int64
	length int
}

func (a *Archive) loadFetches() error {
	return a.fetches.scan(func(_ int64, b []byte) error {
		var f Fetch
		if err := json.Unmarshal(b, &f); err != nil {
			return fmt.Errorf("%w: %w", sources.ErrDamaged, err)
		}
		a.remember(f)
		return nil
	})
}

func (a *Archive) remember(f Fetch) {
	if f.SHA256 != "" {
		a.last[part{f.Source, f.Name}] = f
	}
}

func (a *Archive) loadExtracts() error {
	return a.extracts.scan(func(at int64, b []byte) error {
		var x struct {
			Source string    `json:"source"`
			At     time.Time `json:"at"`
		}
		if err := json.Unmarshal(b, &x); err != nil {
			return fmt.Errorf("%w: %w", sources.ErrDamaged, err)
		}
		a.index = append(a.index, entry{x.Source, x.At, at, len(b)})
		return nil
	})
}

// AppendFetch adds the record of one download. It is on disk after the next
// AppendExtract.
func (a *Archive) AppendFetch(f Fetch) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.beginWrite(); err != nil {
		return err
	}
	if _, _, err := a.fetches.append(f, false); err != nil {
		return err
	}
	a.remember(f)
	return nil
}

// LastFetch is the newest fetch of that object which left bytes, for conditional requests.
func (a *Archive) LastFetch(source, name string) (Fetch, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	f, ok := a.last[part{source, name}]
	return f, ok
}

// AppendExtract adds an extract, and returns after it is on disk.
func (a *Archive) AppendExtract(x sources.Extract) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.beginWrite(); err != nil {
		return err
	}
	if err := a.fetches.sync(); err != nil {
		return err
	}
	at, n, err := a.extracts.append(x, true)
	if err != nil {
		return err
	}
	a.index = append(a.index, entry{x.Source, x.At, at, n})
	return syncDir(a.dir)
}

// LastExtract is the newest extract of a source; ok is false when there is none
// that can be read.
func (a *Archive) LastExtract(source string) (x sources.Extract, ok bool) {
	xs := a.find(source, func(all []entry) []entry { return all[max(0, len(all)-1):] })
	if len(xs) == 0 {
		return sources.Extract{}, false
	}
	return xs[len(xs)-1], true
}

// Extracts are the extracts of a source that were made at since or later, oldest
// first. The zero time asks for all.
func (a *Archive) Extracts(source string, since time.Time) []sources.Extract {
	return a.find(source, func(all []entry) []entry {
		return all[sort.Search(len(all), func(i int) bool { return !all[i].at.Before(since) }):]
	})
}

// find reads the chosen ones of the extracts of a source. One that has become
// unreadable since Open checked it is left out.
func (a *Archive) find(source string, choose func([]entry) []entry) []sources.Extract {
	a.mu.Lock()
	defer a.mu.Unlock()
	var all []entry
	for _, e := range a.index {
		if e.source == source {
			all = append(all, e)
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].at.Before(all[j].at) })
	var found []sources.Extract
	for _, e := range choose(all) {
		var x sources.Extract
		if err := a.extracts.read(e.offset, e.length, &x); err == nil {
			found = append(found, x)
		}
	}
	return found
}
