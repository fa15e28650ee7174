// Package platform reads the records of the jobs platform: boroughs, adverts, residents,
// applications, events, careers pathways and section 106 sites. They come from a feed of NDJSON
// files (one JSON object on each line), which FEED.md describes and the JSON schemas in schema/
// define.
//
// A line that violates its schema is rejected and reported; the other lines are used. If such lines
// were used, a misspelt property could make a figure wrong without notice, and personal data could
// get in unseen.
package platform

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"labour/sources"
)

// IndexObjectName is the name of the feed's list of files in the archive.
const IndexObjectName = "index.json"

// maxFileBytes is the size limit of one file of the feed, in bytes. For a compressed file, it
// limits the compressed size.
const maxFileBytes = 8 << 30

// Fetch downloads the list of the feed's files, and then the files that the configuration selects.
// The other files are taken over from the last successful fetch.
func (p *FeedSource) Fetch(ctx context.Context, f sources.Fetcher) error {
	base := strings.TrimSuffix(p.c.FeedAddress, "/")
	list := base
	if sources.IsWebAddress(base) || hasIndexFile(base) {
		list = base + "/" + IndexObjectName
	}
	header, err := p.header(f)
	if err != nil {
		return err
	}
	o, err := f.Get(ctx, sources.Request{Name: IndexObjectName, URL: list, Header: header, Accept: sources.AcceptJSON})
	if err != nil {
		return fmt.Errorf("list the feed %s: %w", p.c.FeedAddress, err)
	}
	listed, err := readIndex(f, o)
	if err != nil {
		return err
	}
	slices.Sort(listed.Files)
	for _, file := range slices.Compact(listed.Files) {
		if _, ok := KindOfFile(file); !ok {
			continue // Read reports this file
		}
		if !p.c.SelectsFile(file) {
			f.KeepLast(file)
			continue
		}
		if _, err := f.Get(ctx, sources.Request{Name: file, URL: base + "/" + file, Header: header,
			MaxBytes: maxFileBytes, Accept: accept}); err != nil {
			f.MarkFailed(file, err)
		}
	}
	return ctx.Err()
}

// header returns the header of requests to the feed's web server: the configured credentials, or nil.
func (p *FeedSource) header(f sources.Fetcher) (map[string]string, error) {
	if p.c.FeedKeyEnv == "" {
		return nil, nil
	}
	value, ok := f.Secret(p.c.FeedKeyEnv)
	if !ok || value == "" {
		return nil, fmt.Errorf("%s: the secret %s is not set; put the value of the header Authorization there, such as "+
			"\"Bearer\" and a token", Key, p.c.FeedKeyEnv)
	}
	return map[string]string{"Authorization": value}, nil
}

// hasIndexFile reports whether a directory contains index.json, the list of the feed's files.
func hasIndexFile(directory string) bool {
	_, err := os.Stat(filepath.Join(directory, IndexObjectName))
	return err == nil
}

// accept returns an error if a file of the feed is HTML. Unlike sources.AcceptNotHTML, it permits
// an empty file.
func accept(contentType string, head []byte) error {
	if len(head) == 0 {
		return nil
	}
	return sources.AcceptNotHTML(contentType, head)
}

// index is the content of index.json, the list of the feed's files.
type index struct {
	Files []string `json:"files"`
	// time before which the feed has every record, as a JSON string in RFC 3339; empty = not stated
	CompleteUntil json.RawMessage `json:"complete_until"`
}

// readIndex parses the list of the feed's files: the content of index.json, or a list of the files
// in the feed's directory. A byte order mark at its start is permitted.
func readIndex(open sources.Opener, o sources.ArchivedObject) (x index, err error) {
	all, err := sources.ReadWhole(open, o)
	if err != nil {
		return x, err
	}
	all = bytes.TrimPrefix(all, []byte("\ufeff"))
	if err := json.Unmarshal(all, &x); err != nil || x.Files == nil {
		return x, sources.CodedErrorf(sources.FaultNotJSON,
			`the list of the feed is not {"files": ["adverts-2026-10.ndjson.zst", ...]}`)
	}
	return x, nil
}

// ListedFiles returns the names of the feed's files, as listed in an extract (one fetch of the
// feed). It returns nil if the extract has no list.
func ListedFiles(open sources.Opener, x sources.Extract) ([]string, error) {
	o, ok := x.Object(IndexObjectName)
	if !ok {
		return nil, nil
	}
	listed, err := readIndex(open, o)
	return listed.Files, err
}

// ReadCompleteUntil returns the feed's complete_until: the feed has every record from before this
// time. It returns the zero time if the feed does not state it.
//
// The error has sources.FaultBadValue if the value is not a time or is later than the fetch.
func ReadCompleteUntil(open sources.Opener, x sources.Extract) (time.Time, error) {
	o, ok := x.Object(IndexObjectName)
	if !ok {
		return time.Time{}, nil
	}
	listed, err := readIndex(open, o)
	if err != nil || len(listed.CompleteUntil) == 0 {
		return time.Time{}, err
	}
	var text string
	err = json.Unmarshal(listed.CompleteUntil, &text)
	if err == nil && text == "" {
		return time.Time{}, nil
	}
	until, notTime := time.Parse(time.RFC3339, text)
	if err != nil || notTime != nil {
		return time.Time{},
			sources.CodedErrorf(sources.FaultBadValue, "complete_until %.60s is no time, such as 2027-01-01T00:00:00Z",
				listed.CompleteUntil)
	}
	if !x.FetchedAt.IsZero() && until.After(x.FetchedAt) {
		return time.Time{}, sources.CodedErrorf(sources.FaultBadValue,
			"complete_until %s lies in the future: the clock of the fetch was at %s; it is not used",
			text, x.FetchedAt.UTC().Format(time.RFC3339))
	}
	return until, nil
}

// ReceivedAllCountedFiles reports whether the fetch received every file that counts of people need.
// These are all files of boroughs, adverts, residents, applications and section 106 sites in the
// feed's list. There must be at least one file of residents and one of applications.
//
// A file taken over from an older fetch does not count as received.
func ReceivedAllCountedFiles(open sources.Opener, x sources.Extract) (bool, error) {
	if !ReceivedAllPeopleFiles(x) {
		return false, nil
	}
	o, ok := x.Object(IndexObjectName)
	if !ok {
		return true, nil
	}
	listed, err := readIndex(open, o)
	if sources.FaultCodeOf(err) == sources.FaultNotJSON {
		return true, nil // reported when the feed is read
	}
	for _, file := range listed.Files {
		kind, known := KindOfFile(file)
		if !known || kind == KindEvents || kind == KindPathways {
			continue
		}
		if got, ok := x.Object(file); !ok || got.Carried || got.Kept {
			return false, err
		}
	}
	return true, err
}

// ReceivedAllPeopleFiles reports whether the fetch received all files of residents and
// applications, at least one of each. A file taken over from an older fetch does not count as
// received.
func ReceivedAllPeopleFiles(x sources.Extract) bool {
	received := map[RecordKind]bool{}
	for _, o := range x.Objects {
		kind, _ := KindOfFile(o.Name)
		if !kind.IsAboutPeople() {
			continue
		}
		if o.Carried || o.Kept {
			return false
		}
		received[kind] = true
	}
	return received[KindResidents] && received[KindApplications]
}

// HasKeptPeopleFiles reports whether a file of residents or applications was taken over from an
// older fetch, because the configuration did not select it.
func HasKeptPeopleFiles(x sources.Extract) bool {
	return slices.ContainsFunc(x.Objects, func(o sources.ArchivedObject) bool {
		kind, _ := KindOfFile(o.Name)
		return o.Kept && (kind == KindResidents || kind == KindApplications)
	})
}

// FeedSource reads the feed of the jobs platform. It implements sources.Source.
type FeedSource struct{ c Config }

// New returns the source for a configuration. It does not check the configuration. Info().Validate
// reports missing fields.
func New(c Config) sources.Source { return &FeedSource{c} }

// Key is the `source_key` of figures from the platform's own records.
const Key = "platform"

// Info describes the source. Its terms permit fetching, counting and republishing the platform's
// records.
func (p *FeedSource) Info() sources.Info {
	link := p.c.Link
	if link == "" && sources.IsWebAddress(p.c.FeedAddress) {
		link = p.c.FeedAddress
	}
	return sources.Info{
		Key: Key, Publisher: p.c.Name, Title: "Records of the platform", Kind: sources.KindPlatform,
		Licence:   "Platform operator's own records, published as aggregate statistics",
		Link:      link,
		Statement: sources.StatementOwnFigures, Cadence: sources.Daily,
		Terms:      sources.Terms{MayFetch: true, MayCount: true, MayRepublish: true},
		HasAdverts: true,
	}
}

// RecordKind is a type of record in the feed, such as "adverts". The names of the feed's files
// begin with it.
type RecordKind string

// Types of records in the feed.
const (
	// KindBoroughs is for records of the type sources.Borough.
	KindBoroughs RecordKind = "boroughs"
	// KindAdverts is for records of the type sources.Advert.
	KindAdverts RecordKind = "adverts"
	// KindResidents is for records of the type sources.Resident.
	KindResidents RecordKind = "residents"
	// KindApplications is for records of the type sources.Application.
	KindApplications RecordKind = "applications"
	// KindEvents is for records of the type sources.Event.
	KindEvents RecordKind = "events"
	// KindPathways is for records of the type sources.Pathway.
	KindPathways RecordKind = "pathways"
	// KindS106 is for records of the type sources.S106Development.
	KindS106 RecordKind = "s106"
)

// SelectsFile reports whether the configuration selects the named file of the feed.
func (c Config) SelectsFile(file string) bool {
	k, ok := KindOfFile(file)
	isSelected := len(c.Kinds) == 0 || slices.Contains(c.Kinds, k)
	return file == IndexObjectName || ok && isSelected
}

// SelectsFile reports whether the source reads the named file of the feed.
func (p *FeedSource) SelectsFile(file string) bool { return p.c.SelectsFile(file) }

// RecordKinds returns all types of records in the feed, in the order of FEED.md.
func RecordKinds() []RecordKind {
	return []RecordKind{KindBoroughs, KindAdverts, KindResidents, KindApplications, KindEvents, KindPathways, KindS106}
}

// IsAboutPeople reports whether k is residents or applications. Figures about people are counted
// from these records.
func (k RecordKind) IsAboutPeople() bool { return k == KindResidents || k == KindApplications }

// KindOfRecord returns the type of a record in the feed, such as "adverts". It returns "" for
// records of other sources.
func KindOfRecord(r sources.Record) RecordKind {
	switch r.(type) {
	case sources.Borough:
		return KindBoroughs
	case sources.Advert:
		return KindAdverts
	case sources.Resident:
		return KindResidents
	case sources.Application:
		return KindApplications
	case sources.Event:
		return KindEvents
	case sources.Pathway:
		return KindPathways
	case sources.S106Development:
		return KindS106
	}
	return ""
}

// KindOfFile returns the type of the records in a file of the feed. For example, it is "adverts"
// for adverts-2026-10.ndjson.zst. ok is false if the file does not belong to the feed.
func KindOfFile(file string) (k RecordKind, ok bool) {
	stem, found := strings.CutSuffix(strings.TrimSuffix(strings.TrimSuffix(file, ".gz"), ".zst"), ".ndjson")
	if !found || strings.ContainsAny(stem, "/\\?#%") {
		return "", false
	}
	for _, k := range RecordKinds() {
		if strings.HasPrefix(stem, string(k)) {
			return k, true
		}
	}
	return "", false
}
