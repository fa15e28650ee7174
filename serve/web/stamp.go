package web

import (
	"context"
	"slices"
	"strings"
	"time"

	"labour/serve/api"
)

// pageNotice is the attribution rule in words for visitors. API responses have
// api.AttributionNotice.
const pageNotice = "Wherever a figure is shown, republished or passed on, show the statement of every source it came from, word for word. Anyone you give the data to takes on the same rule."

// stamp describes where the figures of a page come from, with links to the same figures in other
// formats.
type stamp struct {
	Sources   []api.Source // sources of all figures of the page, without duplicates, by key
	Calls     []call
	People    bool       // whether the page has figures about people
	Few       string     // warning about shares of few registered residents; empty if it is not needed
	PeopleTo  *time.Time // last day of the year that figures about people describe; nil = there are none
	Withdrawn string     // figures about people that the operator withdrew, and why
	Snapshot  api.Snapshot
	Notice    string
	Workbook  string // address of all tables of the page as one workbook
	Cite      string // reference to the page, with the permanent address of these figures
}

// statement is a text that must be shown with figures. By lists the publishers that it credits.
type statement struct {
	Text string
	By   []credit
}

// credit is a publisher with the keys of its sources.
type credit struct {
	Publisher string
	Keys      []string
}

// Statements returns the texts that must be shown with the figures of the page, without duplicates.
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

// Publisher returns the publisher of the source with a key. It returns the key if the page does not
// use that source.
func (s stamp) Publisher(key string) string {
	i := slices.IndexFunc(s.Sources, func(source api.Source) bool { return source.Key == key })
	if i < 0 {
		return key
	}
	return s.Sources[i].Publisher
}

// call is an API call that returns figures of the page.
type call struct {
	What string // description in words
	URL  string // complete address
	Path string // path of the same figures below /csv/ and /xlsx/
}

// ask runs a query on the snapshot of the page and returns its result. It records the sources of
// the result, and the API call at path that returns the same figures. If the query or an earlier
// one has failed, the result is empty.
func ask[Q, R any](v *request, what, path string, question func(api.Snapshot, context.Context, Q) (api.Page[R], error),
	q Q) (p api.Page[R]) {
	if v.err == nil {
		p, v.err = question(v.snapshot, v.ctx, q)
	}
	if v.err != nil {
		return api.Page[R]{}
	}
	took(v, p)
	v.calls(what, path, q)
	return p
}

func took[R any](v *request, p api.Page[R]) {
	v.stamp.Snapshot, v.stamp.Notice = v.snapshot, pageNotice
	if p.People != nil && p.People.To.T != nil {
		v.stamp.PeopleTo = p.People.To.T
	}
	if p.People != nil && p.People.Withdrawn {
		v.stamp.Withdrawn = p.People.Note
	}
	for _, e := range p.Sources {
		if !slices.ContainsFunc(v.stamp.Sources, func(known api.Source) bool { return known.Key == e.Key }) {
			v.stamp.Sources = append(v.stamp.Sources, e)
		}
	}
	slices.SortFunc(v.stamp.Sources, func(a, b api.Source) int { return strings.Compare(a.Key, b.Key) })
}
