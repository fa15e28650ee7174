// Package platform reads the records of the platform itself: boroughs, adverts,
// residents, applications, events, careers pathways and section 106 sites, from a
// feed of NDJSON files that FEED.md documents and the schemas in schema/ define.
//
// The feed is strict: a line that breaks its schema is refused and named, because
// a misspelt property would silently become a wrong figure, and because personal
// data must be noticed at the door. One bad line never costs another.
package platform

import (
	"slices"
	"strings"

	"labour/sources"
)

// Config says where the feed is.
type Config struct {
	// Feed is a directory, a file:// address of one, or an http(s) base that serves
	// index.json and the files it lists.
	Feed string
	// PlatformName is the publisher's name as partners see it.
	PlatformName string
	// Link is where a person can look at the platform; an http(s) Feed is used when it is empty.
	Link string
	// Kinds are the kinds of records that are fetched and read; empty = all. The files
	// of other kinds stay as they were last fetched.
	Kinds []Kind
}

// Platform is the connector; New makes one.
type Platform struct{ c Config }

// New makes the connector. Info().Validate says what is missing in c.
func New(c Config) sources.Source { return &Platform{c} }

// Key is the source key of the platform's own records.
const Key = "platform"

// Info describes the platform's own records: the operator permits what the
// service does with them.
func (p *Platform) Info() sources.Info {
	link := p.c.Link
	if link == "" && isHTTP(p.c.Feed) {
		link = p.c.Feed
	}
	return sources.Info{
		Key: Key, Publisher: p.c.PlatformName, Title: "Records of the platform", Kind: sources.KindPlatform,
		Licence:   "Platform operator's own records, published as aggregate statistics",
		Link:      link,
		Statement: sources.StatementOwn, Cadence: sources.Daily,
		Terms:   sources.Terms{Fetch: true, Count: true, Republish: true},
		Adverts: true,
	}
}

func isHTTP(s string) bool {
	return strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "http://")
}

// Kind is one kind of record, and the beginning of the names of its files.
type Kind string

// The kinds of the feed.
const (
	Boroughs     Kind = "boroughs"
	Adverts      Kind = "adverts"
	Residents    Kind = "residents"
	Applications Kind = "applications"
	Events       Kind = "events"
	Pathways     Kind = "pathways"
	S106         Kind = "s106"
)

// Reads reports whether a file of the feed is one that Read reads.
func (c Config) Reads(file string) bool {
	k, ok := KindOf(file)
	return file == IndexName || ok && (len(c.Kinds) == 0 || slices.Contains(c.Kinds, k))
}

// Kinds are all kinds, in the order of FEED.md.
func Kinds() []Kind {
	return []Kind{Boroughs, Adverts, Residents, Applications, Events, Pathways, S106}
}

// required are the kinds without which the figures of the service cannot be made;
// a feed that has nothing to say about one has an empty file of it.
func required() []Kind { return []Kind{Boroughs, Adverts, Residents, Applications} }

// KindOf says which kind a file of the feed holds, by its name:
// `adverts-2026-10.ndjson.zst` holds adverts. ok is false for any other file.
func KindOf(file string) (k Kind, ok bool) {
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
