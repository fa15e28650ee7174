// Package paging downloads a list that has several pages, completely or not at all.
//
// An advert that is missing from a list counts as closed. An incomplete list would therefore do
// more harm than yesterday's complete list.
package paging

import (
	"context"
	"slices"
	"strings"

	"labour/sources"
)

// TotalUnknown is the value of Page.AnnouncedRows if the publisher does not state the length of its
// list.
const TotalUnknown = -1

// Page holds the ids on one page of a list, and what the page states about the rest of the list.
type Page struct {
	IDs           []string // unique ids of its rows
	AnnouncedRows int      // number of rows in the whole list as the publisher announces it, or TotalUnknown
	HasMore       bool     // the response states that another page follows, or the page is full
	IsLast        bool     // no further page is requested, whatever AnnouncedRows and HasMore are
}

// List describes a list to fetch.
type List struct {
	// NamePrefix is the name with which the names of all objects of the list begin. Before the list is
	// downloaded a second time, these objects are removed from the run with Fetcher.DiscardPart.
	NamePrefix string
	MaxPages   int
	// FetchPage fetches page n, counted from 0. rows is the number of rows on the pages before it.
	FetchPage func(ctx context.Context, n, rows int) (Page, error)
}

// attempt holds what was received while downloading all pages once.
type attempt struct {
	announced, received int
	ids                 map[string]bool
	pages               map[string]bool // joined ids of each page
	moved               bool            // an id is on two pages
	repeated            bool            // a page has the same ids as an earlier one
	unended             bool            // there are more than MaxPages pages
}

// Fetch downloads all pages of the list. If the number of ids is wrong or an id is on two pages,
// the list has probably changed during the download. Fetch then downloads it a second time.
//
// The list must have as many distinct ids as the publisher announced, and no page may repeat
// another. Otherwise the error has sources.FaultIncomplete and states the counts. Without an
// announced number, an empty or short page must end the list.
func (l List) Fetch(ctx context.Context, f sources.Fetcher) error {
	first, err := l.walk(ctx)
	if err != nil || first.whole() && !first.moved {
		return err
	}
	if first.repeated || first.unended {
		return first.refusal()
	}
	f.DiscardPart(l.NamePrefix)
	second, err := l.walk(ctx)
	if err != nil || second.whole() {
		return err
	}
	return second.refusal()
}

// walk downloads all pages once and returns what was received.
func (l List) walk(ctx context.Context) (*attempt, error) {
	a := &attempt{announced: TotalUnknown, ids: map[string]bool{}, pages: map[string]bool{}}
	for n := range l.MaxPages {
		p, err := l.FetchPage(ctx, n, a.received)
		if err != nil {
			return nil, err
		}
		a.add(p)
		if a.ends(p) {
			return a, nil
		}
	}
	a.unended = true
	return a, nil
}

// add records the ids of one page.
func (a *attempt) add(p Page) {
	if p.AnnouncedRows >= 0 {
		a.announced = p.AnnouncedRows // the list may have grown since the last page
	}
	if len(p.IDs) == 0 {
		return
	}
	key := strings.Join(slices.Sorted(slices.Values(p.IDs)), "\x00")
	a.repeated = a.repeated || a.pages[key]
	a.pages[key] = true
	a.received += len(p.IDs)
	here := map[string]bool{}
	for _, id := range p.IDs { // an id may occur twice on one page: a job has one row for each place
		a.moved = a.moved || a.ids[id]
		here[id] = true
	}
	for id := range here {
		a.ids[id] = true
	}
}

// ends reports whether p is the last page.
func (a *attempt) ends(p Page) bool {
	return len(p.IDs) == 0 || p.IsLast || a.repeated || !p.HasMore && a.received >= a.announced
}

// whole reports whether the received list is complete.
func (a *attempt) whole() bool {
	return !a.repeated && !a.unended && (a.announced == TotalUnknown || len(a.ids) == a.announced)
}

// refusal returns the error for an incomplete list.
func (a *attempt) refusal() error {
	why := "the list is not whole"
	switch {
	case a.repeated:
		why = "a page repeats one before it"
	case a.unended:
		why = "the list has no end"
	}
	if a.announced == TotalUnknown {
		return sources.Errorf(sources.FaultIncomplete,
			"%s: %d rows were received, %d of them distinct, and the publisher announces no number; fetch again",
			why, a.received, len(a.ids))
	}
	return sources.Errorf(sources.FaultIncomplete,
		"%s: the publisher announces %d rows, %d were received, %d of them distinct; fetch again",
		why, a.announced, a.received, len(a.ids))
}
