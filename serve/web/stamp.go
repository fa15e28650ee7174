package web

import (
	"context"
	"slices"
	"strings"

	"labour/serve/api"
)

// stamp is what stands with the figures of a page: where they come from and how
// to get them otherwise.
type stamp struct {
	Sources  []api.Source // of all figures of the page, each once, by key
	Calls    []call
	People   bool // whether figures about people are among them
	Snapshot api.Snapshot
	Notice   string
	Cite     string // the page as a reference, with the address that keeps showing these figures
}

// statement is a statement to show, with the sources that ask for it.
type statement struct {
	Text    string
	Sources []api.Source
}

// Statements are the statements of the sources, each once.
func (s stamp) Statements() (list []statement) {
	for _, source := range s.Sources {
		i := slices.IndexFunc(list, func(known statement) bool { return known.Text == source.AttributionStatement })
		if i < 0 {
			list = append(list, statement{Text: source.AttributionStatement})
			i = len(list) - 1
		}
		list[i].Sources = append(list[i].Sources, source)
	}
	return list
}

// Publisher is who publishes a source of the page.
func (s stamp) Publisher(key string) string {
	i := slices.IndexFunc(s.Sources, func(source api.Source) bool { return source.Key == key })
	if i < 0 {
		return key
	}
	return s.Sources[i].Publisher
}

// call is a call of the interface that gives figures of the page.
type call struct {
	What string // in words
	URL  string // complete
	Path string // of the same figures below /csv/ and /xlsx/
}

// ask returns the answer to a question about the snapshot of the page, and notes its
// sources. It is empty after a fault.
func ask[Q, R any](v *request, question func(api.Snapshot, context.Context, Q) (api.Page[R], error), q Q) (p api.Page[R]) {
	if v.err == nil {
		p, v.err = question(v.snapshot, v.ctx, q)
	}
	if v.err != nil {
		return api.Page[R]{}
	}
	took(v, p)
	return p
}

// took notes the sources of an answer.
func took[R any](v *request, p api.Page[R]) {
	v.stamp.Snapshot, v.stamp.Notice = v.snapshot, api.AttributionNotice
	for _, e := range p.Sources {
		if !slices.ContainsFunc(v.stamp.Sources, func(known api.Source) bool { return known.Key == e.Key }) {
			v.stamp.Sources = append(v.stamp.Sources, e)
		}
	}
	slices.SortFunc(v.stamp.Sources, func(a, b api.Source) int { return strings.Compare(a.Key, b.Key) })
}
