// Package platform reads the records of the jobs platform itself: boroughs, adverts, residents,
// applications, events, careers pathways and section 106 sites. They come from a feed of NDJSON
// files, which FEED.md describes and the JSON schemas in schema/ define.
//
// A line that violates its schema is rejected and reported; the other lines are used. A misspelt
// property would otherwise make a figure wrong without notice, and personal data could enter
// unseen.
package platform

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"labour/sources"
)

// IndexObjectName is the name of the object that lists the files of the feed.
const IndexObjectName = "index.json"

// maxFileBytes is the size limit of one file of the feed as sent. It is many times the size of a
// compressed month of a large platform.
const maxFileBytes = 8 << 30

// Fetch downloads the index of the feed and then the files that the configuration uses.
func (p *FeedSource) Fetch(ctx context.Context, f sources.Fetcher) error {
	base := strings.TrimSuffix(p.c.Feed, "/")
	url := base
	if sources.IsWebAddress(base) {
		url = base + "/" + IndexObjectName
	}
	o, err := f.Get(ctx, sources.Request{Name: IndexObjectName, URL: url, Accept: sources.AcceptJSON})
	if err != nil {
		return fmt.Errorf("list the feed %s: %w", p.c.Feed, err)
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
		if !p.c.ReadsFile(file) {
			f.KeepLast(file)
			continue
		}
		if _, err := f.Get(ctx, sources.Request{Name: file, URL: base + "/" + file, MaxBytes: maxFileBytes,
			Accept: accept}); err != nil {
			f.MarkFailed(file, err)
		}
	}
	return ctx.Err()
}

// accept returns an error for HTML. Unlike sources.AcceptData it allows an empty file, which has no
// records.
func accept(contentType string, head []byte) error {
	if len(head) == 0 {
		return nil
	}
	return sources.AcceptData(contentType, head)
}

// index is the content of the feed's index.json.
type index struct {
	Files         []string        `json:"files"`
	CompleteUntil json.RawMessage `json:"complete_until"` // see the function ReadCompleteUntil; empty = not stated
}

// readIndex parses index.json, or the fetcher's listing of a directory.
func readIndex(open sources.Opener, o sources.Object) (x index, err error) {
	all, err := sources.ReadWhole(open, o)
	if err != nil {
		return x, err
	}
	if err := json.Unmarshal(all, &x); err != nil || x.Files == nil {
		return x, sources.Errorf(sources.FaultNotJSON,
			`the list of the feed is not {"files": ["adverts-2026-10.ndjson.zst", ...]}`)
	}
	return x, nil
}

// ReadCompleteUntil returns the time before which the feed states that every record is present. It
// returns the zero time if the feed states none. An error with a code (see sources.FaultCodeOf) means
// that the stated value is not a time, or is later than the fetch.
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
			sources.Errorf(sources.FaultBadValue, "complete_until %.60s is no time, such as 2027-01-01T00:00:00Z",
				listed.CompleteUntil)
	}
	if !x.At.IsZero() && until.After(x.At) {
		return time.Time{}, sources.Errorf(sources.FaultBadValue,
			"complete_until %s lies in the future: the clock of the fetch was at %s; it is not used",
			text, x.At.UTC().Format(time.RFC3339))
	}
	return until, nil
}

// HasNewPeopleFiles reports whether this fetch received all files of residents and of applications,
// and at least one of each. It returns false if one of these files was taken over from an older
// extract.
func HasNewPeopleFiles(x sources.Extract) bool {
	received := map[Kind]bool{}
	for _, o := range x.Objects {
		kind, _ := KindOfFile(o.Name)
		if kind != KindResidents && kind != KindApplications {
			continue
		}
		if o.Carried || o.Kept {
			return false
		}
		received[kind] = true
	}
	return received[KindResidents] && received[KindApplications]
}

// Config is the block `platform` of labour.yaml. It describes the jobs platform and where to fetch
// its feed. The feed is a directory, a file:// address, or an http(s) address with an index.json
// that lists the files.
type Config struct {
	Name string `yaml:"name"` // appears in `Source: <name>.`
	// Link is the public address of the platform. If it or the address of a live advert ends in
	// `.example`, which no real platform can have, every page states that the data are made up.
	Link string `yaml:"link"`
	Feed string `yaml:"feed"` // a directory, or an https:// base; empty = no feed
	// Kinds are the kinds of records to fetch and read; empty = all. Files of other kinds stay as
	// they were last fetched.
	Kinds []Kind `yaml:"-"`
}

// FeedSource reads the feed. It implements sources.Source.
type FeedSource struct{ c Config }

// New returns the source. It does not check c; Info().Validate reports missing fields.
func New(c Config) sources.Source { return &FeedSource{c} }

// Key is the source key of the platform's own records.
const Key = "platform"

// Info describes the source. The operator permits its records to be fetched, counted and
// republished.
func (p *FeedSource) Info() sources.Info {
	link := p.c.Link
	if link == "" && sources.IsWebAddress(p.c.Feed) {
		link = p.c.Feed
	}
	return sources.Info{
		Key: Key, Publisher: p.c.Name, Title: "Records of the platform", Kind: sources.KindPlatform,
		Licence:   "Platform operator's own records, published as aggregate statistics",
		Link:      link,
		Statement: sources.StatementOwn, Cadence: sources.Daily,
		Terms:      sources.Terms{Fetch: true, Count: true, Republish: true},
		HasAdverts: true,
	}
}

// Kind is a kind of record in the feed, such as "adverts". The names of its files begin with it.
type Kind string

// The kinds of record in the feed.
const (
	KindBoroughs     Kind = "boroughs"
	KindAdverts      Kind = "adverts"
	KindResidents    Kind = "residents"
	KindApplications Kind = "applications"
	KindEvents       Kind = "events"
	KindPathways     Kind = "pathways"
	KindS106         Kind = "s106"
)

// ReadsFile reports whether a file of that name is read from the feed.
func (c Config) ReadsFile(file string) bool {
	k, ok := KindOfFile(file)
	return file == IndexObjectName || ok && (len(c.Kinds) == 0 || slices.Contains(c.Kinds, k))
}

// Kinds returns all kinds, in the order of FEED.md.
func Kinds() []Kind {
	return []Kind{KindBoroughs, KindAdverts, KindResidents, KindApplications, KindEvents, KindPathways, KindS106}
}

// KindOfFile returns the kind of record in a file, from its name. For example,
// `adverts-2026-10.ndjson.zst` has adverts. ok is false if the name does not belong to the feed.
func KindOfFile(file string) (k Kind, ok bool) {
	stem, found := strings.CutSuffix(strings.TrimSuffix(strings.TrimSuffix(file, ".gz"), ".zst"), ".ndjson")
	if !found || strings.ContainsAny(stem, "/\\?#%") {
		return "", false
	}
	for _, k := range Kinds() {
		if strings.HasPrefix(stem, string(k)) {
			return k, true
		}
	}
	return "", false
}
