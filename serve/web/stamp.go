package web

import (
	"context"
	"slices"
	"strings"
	"time"

	"labour/serve/api"
)

// pageNotice is the attribution rule that pages and their workbooks show. It has the words of the
// rule in API responses, without the name of the API's field.
var pageNotice = strings.Replace(api.AttributionNotice, "attribution_statement", "statement", 1)

// stamp states the origin of the figures on a page, and links to the same figures in other formats.
// The foot of the page shows it.
type stamp struct {
	Sources []api.Source // sources of all figures on the page, without duplicates, ordered by key
	Calls   []call
	People  bool   // whether the page has figures about people
	Few     string // warning that few residents are registered; empty if none is needed
	// last day of the year that figures about people describe; nil = no such figures
	PeopleTo  *time.Time
	Withdrawn string // which figures about people the operator withdrew, and why; empty = none
	// why places on the page have no figures about people yet, a sentence for each of them
	PlaceNotes []string
	Late       []string // a sentence for each source of adverts that is late
	Snapshot   api.Snapshot
	Notice     string
	Workbook   string // address of an Excel workbook with all tables of the page
	Cite       string // text for citing the page, with the permanent address of its figures
}

// statement is an attribution text that must be shown with figures. By lists the publishers whom
// the text credits.
type statement struct {
	Text string
	By   []credit
}

// credit is a publisher whom an attribution text credits, with the keys of the publisher's sources.
type credit struct {
	Publisher string
	Keys      []string
}

// Statements returns the attribution texts that must be shown with the figures on the page, without
// duplicates.
func (s stamp) Statements() (list []statement) {
	for _, source := range s.Sources {
		i := slices.IndexFunc(list, func(known statement) bool { return known.Text == source.AttributionStatement })
		if i < 0 {
			list = append(list, statement{Text: source.AttributionStatement})
			i = len(list) - 1
		}
		list[i].add(source)
	}
	return list
}

func (s *statement) add(source api.Source) {
	i := slices.IndexFunc(s.By, func(known credit) bool { return known.Publisher == source.Publisher })
	if i < 0 {
		s.By = append(s.By, credit{Publisher: source.Publisher})
		i = len(s.By) - 1
	}
	s.By[i].Keys = append(s.By[i].Keys, source.Key)
}

// Publisher returns the publisher of the source with the given key. If the page does not use that
// source, it returns the key.
func (s stamp) Publisher(key string) string {
	i := slices.IndexFunc(s.Sources, func(source api.Source) bool { return source.Key == key })
	if i < 0 {
		return key
	}
	return s.Sources[i].Publisher
}

// uses reports whether figures on the page come from the source with the given key.
func (s stamp) uses(key string) bool {
	return slices.ContainsFunc(s.Sources, func(source api.Source) bool { return source.Key == key })
}

// call is an API request that returns figures of the page.
type call struct {
	What string // what the figures are, for readers, such as "Courses in Camden"
	URL  string // complete URL of the API request
	Path string // path of the same figures, below /csv/ and /xlsx/
}

// runQuery runs the query q for a page and returns the result. run is a method of the snapshot.
// It records the sources of the result. It also records the API request that returns the same
// figures: path is the request's path, and what describes the figures for readers. If this query or
// an earlier one fails, the result is empty.
func runQuery[Q, R any](v *request, what, path string, run func(api.Snapshot, context.Context, Q) (api.Page[R], error),
	q Q) (p api.Page[R]) {
	if v.err == nil {
		p, v.err = run(v.snapshot, v.ctx, q)
	}
	if v.err != nil {
		return api.Page[R]{}
	}
	addSources(v, p)
	v.calls(what, path, q)
	return p
}

func addSources[R any](v *request, p api.Page[R]) {
	v.stamp.Snapshot, v.stamp.Notice = v.snapshot, pageNotice
	if p.People != nil && p.People.To.T != nil && !p.People.AllWithdrawn() {
		v.stamp.PeopleTo = p.People.To.T
	}
	if p.People != nil && p.People.Withdrawn {
		v.stamp.Withdrawn = p.People.Note
	}
	if p.People != nil && p.People.PlaceNote != "" && !slices.Contains(v.stamp.PlaceNotes, p.People.PlaceNote) {
		v.stamp.PlaceNotes = append(v.stamp.PlaceNotes, p.People.PlaceNote)
	}
	for _, e := range p.Sources {
		if !slices.ContainsFunc(v.stamp.Sources, func(known api.Source) bool { return known.Key == e.Key }) {
			v.stamp.Sources = append(v.stamp.Sources, e)
		}
	}
	slices.SortFunc(v.stamp.Sources, func(a, b api.Source) int { return strings.Compare(a.Key, b.Key) })
}
