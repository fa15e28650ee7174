package archive

import (
	"encoding/json"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"time"

	"labour/sources"
	"labour/sources/journal"
)

// DownloadOutcome is the result of one download, such as "fetched" or "failed".
type DownloadOutcome string

// Possible values of DownloadOutcome.
const (
	// OutcomeFetched is the result if new bytes were received.
	OutcomeFetched DownloadOutcome = "fetched"
	// OutcomeSameBytes is the result if the publisher sent the same bytes as last time.
	OutcomeSameBytes DownloadOutcome = "same"
	// OutcomeNotModified is the result if the publisher answered "not modified", without a body.
	OutcomeNotModified DownloadOutcome = "unchanged"
	// OutcomeFailed is the result if no body was received. FetchRecord.Detail gives the reason.
	OutcomeFailed DownloadOutcome = "failed"
)

// FetchRecord describes one download. The archive keeps it in the source's journal.
type FetchRecord struct {
	Source       string    `json:"source"`           // key of the source whose data was downloaded
	ObjectName   string    `json:"name"`             // name of the downloaded object, such as "ashby/acme/2"
	URL          string    `json:"url"`              // address of the download, without secrets
	Status       int       `json:"status,omitempty"` // HTTP status; 0 without an HTTP response
	ETag         string    `json:"etag,omitempty"`
	LastModified string    `json:"last_modified,omitempty"`
	ContentType  string    `json:"content_type,omitempty"`
	EndedAt      time.Time `json:"at"` // time at which the download ended
	// SHA-256 of the uncompressed body, in hex; "" if the download failed
	SHA256 string `json:"sha256,omitempty"`
	Bytes  int64  `json:"bytes"` // size of the uncompressed body, in bytes
	// time at which these bytes were first received
	ReceivedAt time.Time       `json:"received_at,omitzero"`
	Outcome    DownloadOutcome `json:"outcome"`
	Detail     string          `json:"detail,omitempty"`
}

const (
	// fetches is the folder of the journals that list downloads, with one journal for each source.
	fetches = "fetches"
	// extracts is the folder of the journals that list extracts (results of a fetch), with one
	// journal for each source.
	extracts = "extracts"
	// suffix is the file extension of journals.
	suffix = ".ndjson"
)

// readJournal returns a journal of a source for reading. folder is fetches or extracts. To append
// records, use the method journal.
func (a *Archive) readJournal(folder, source string) *journal.Journal {
	return journal.New(filepath.Join(a.dir, folder, source+suffix), 0o600)
}

// journal returns a journal of a source for appending records. folder is fetches or extracts.
// Callers must hold a.mu.
func (a *Archive) journal(folder, source string) *journal.Journal {
	key := [2]string{folder, source}
	if a.journals[key] == nil {
		a.journals[key] = a.readJournal(folder, source)
	}
	return a.journals[key]
}

// AppendFetchRecord appends the record of one download to the journal of its source. The next
// AppendExtract syncs it to disk.
func (a *Archive) AppendFetchRecord(f FetchRecord) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.beginWrite(f.Source); err != nil {
		return err
	}
	last, err := a.lastDownloads(f.Source)
	if err != nil {
		return err
	}
	if err := a.journal(fetches, f.Source).Append(f); err != nil {
		return err
	}
	if f.SHA256 != "" {
		last[f.ObjectName] = f
	}
	return nil
}

// LastFetchWithBody returns the newest download that received a body of the named object of a source.
// It is used for conditional requests. ok is false if the object has no such download. ok may also be
// false if the object is not in the last extract.
func (a *Archive) LastFetchWithBody(source, name string) (f FetchRecord, ok bool, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	last, err := a.lastDownloads(source)
	f, ok = last[name]
	return f, ok, err
}

// lastDownloads returns the newest download with a body for each object of a source. The map's keys are
// object names.
//
// The map contains the objects of the last extract and all objects downloaded later. It may also
// contain older objects. lastDownloads caches the result. Callers must hold a.mu.
func (a *Archive) lastDownloads(source string) (map[string]FetchRecord, error) {
	if last := a.last[source]; last != nil {
		return last, nil
	}
	x, ok, err := a.LastExtract(source)
	if err != nil {
		return nil, err
	}
	wanted := map[string]bool{}
	for _, o := range x.Objects {
		wanted[o.Name] = true
	}
	last := map[string]FetchRecord{}
	for f, err := range records[FetchRecord](a.readJournal(fetches, source).LinesBackward()) {
		if err != nil {
			return nil, err
		}
		if _, newer := last[f.ObjectName]; newer || f.SHA256 == "" {
			continue
		}
		last[f.ObjectName] = f
		if delete(wanted, f.ObjectName); ok && len(wanted) == 0 && f.EndedAt.Before(x.FetchedAt) {
			break
		}
	}
	a.last[source] = last
	return last, nil
}

// AppendExtract appends an extract (the result of one fetch) to the journal of its source. When it
// returns nil, the extract is safely on disk.
func (a *Archive) AppendExtract(x sources.Extract) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.beginWrite(x.Source); err != nil {
		return err
	}
	if err := a.journal(fetches, x.Source).Sync(); err != nil {
		return err
	}
	j := a.journal(extracts, x.Source)
	if err := j.Append(x); err != nil {
		return err
	}
	return j.Sync()
}

// FetchRecords yields the records of all downloads of a source, oldest first. They include failed
// downloads.
func (a *Archive) FetchRecords(source string) iter.Seq2[FetchRecord, error] {
	return records[FetchRecord](a.readJournal(fetches, source).Lines())
}

// FirstExtractTime returns the time of a source's first successful fetch, or the zero time if there
// was none.
func (a *Archive) FirstExtractTime(source string) (time.Time, error) {
	for x, err := range records[sources.Extract](a.readJournal(extracts, source).Lines()) {
		return x.FetchedAt, err
	}
	return time.Time{}, nil
}

// ExtractsNewestFirst yields the results of all successful fetches of a source, newest first. It
// reads only as much of the journal as the caller needs. An unreadable record yields
// sources.ErrDamaged and ends the iteration.
func (a *Archive) ExtractsNewestFirst(source string) iter.Seq2[sources.Extract, error] {
	return records[sources.Extract](a.readJournal(extracts, source).LinesBackward())
}

// LastExtract returns the result of a source's last successful fetch. ok is false if there is none.
func (a *Archive) LastExtract(source string) (x sources.Extract, ok bool, err error) {
	for x, err := range a.ExtractsNewestFirst(source) {
		return x, err == nil, err
	}
	return sources.Extract{}, false, nil
}

// ExtractsSince returns the results of a source's successful fetches at or after start, oldest
// first. If start is the zero time, it returns all.
func (a *Archive) ExtractsSince(source string, start time.Time) ([]sources.Extract, error) {
	var all []sources.Extract
	for x, err := range a.ExtractsNewestFirst(source) {
		if err != nil {
			return nil, err
		}
		if !x.FetchedAt.Before(start) {
			all = append(all, x)
		}
	}
	slices.Reverse(all)
	slices.SortStableFunc(all, func(x, y sources.Extract) int { return x.FetchedAt.Compare(y.FetchedAt) })
	return all, nil
}

// records yields the decoded lines of a journal. It yields the first error and then stops.
func records[T any](lines iter.Seq2[[]byte, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for line, err := range lines {
			var record T
			if err == nil {
				err = decode(line, &record)
			}
			if !yield(record, err) || err != nil {
				return
			}
		}
	}
}

func decode(line []byte, record any) error {
	if err := json.Unmarshal(line, record); err != nil {
		return fmt.Errorf("%w: a record of the archive, %.60q: %w", sources.ErrDamaged, line, err)
	}
	return nil
}

// AllExtracts is a filter that returns true for every extract (the result of one fetch). Pass it to
// use all extracts.
func AllExtracts(sources.Extract) bool { return true }
