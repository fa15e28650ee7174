// Package paging downloads a list that has several pages, completely or not at all. An advert that
// is missing from a list counts as closed, so an incomplete list would do more harm than
// yesterday's complete one.
package paging

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"

	"labour/sources"
)

// TotalUnknown is the value of Page.AnnouncedRows if the publisher does not announce the number of
// rows.
const TotalUnknown = -1

// Page describes one downloaded page of a list: the ids on it and whether more pages follow.
type Page struct {
	RowIDs []string // ids of the rows on the page; rows of one advert have the same id
	// number of rows in the whole list that the publisher announces, or TotalUnknown
	AnnouncedRows int
	HasMore       bool // whether the response states that another page follows, or the page is full
	IsLast        bool // whether no further page is requested, even if HasMore is true
}

// List describes a list to download page by page.
type List struct {
	// NamePrefix is the start of the archive names of all pages. Fetcher.DiscardPart removes these
	// pages before a second download.
	NamePrefix string
	MaxPages   int
	// FetchPage downloads page n of the list, counted from 0. rows is the number of rows on the
	// pages before it.
	FetchPage func(ctx context.Context, n, rows int) (Page, error)
}

// attempt counts what one download of the whole list received.
type attempt struct {
	announcedCount, receivedCount int
	ids                           map[string]bool
	pages                         map[string]bool // pages received, each as its sorted and joined ids
	hasDuplicateID                bool            // whether an id is on two pages, so the list has changed
	hasRepeatedPage               bool            // whether a page has the same ids as an earlier one
	isTooLong                     bool            // whether the list has more than MaxPages pages
	repeatedID                    string          // first id that was received more than once; "" = none
}

// idPattern matches an id that a fault may name. A connector may use the whole row in place of a
// missing id, and a row may contain a person's data.
var idPattern = regexp.MustCompile(`^[A-Za-z0-9._:/-]{1,64}$`)

// Fetch downloads all pages of the list. If the number of ids is wrong or two pages contain the
// same id, the list probably changed during the download. Fetch then downloads it once more.
//
// An incomplete list is an error with sources.FaultIncomplete. A list is complete if it has as many
// distinct ids as the publisher announced. If nothing was announced, it must end with an empty or
// short page. No page may repeat another.
func (l List) Fetch(ctx context.Context, f sources.Fetcher) error {
	first, err := l.walk(ctx)
	if err != nil || first.whole() && !first.hasDuplicateID {
		return err
	}
	if first.hasRepeatedPage || first.isTooLong {
		return first.refusal()
	}
	f.DiscardPart(l.NamePrefix)
	second, err := l.walk(ctx)
	if err != nil || second.whole() {
		return err
	}
	return second.refusal()
}

// walk downloads all pages of the list once.
func (l List) walk(ctx context.Context) (*attempt, error) {
	a := &attempt{announcedCount: TotalUnknown, ids: map[string]bool{}, pages: map[string]bool{}}
	for n := range l.MaxPages {
		p, err := l.FetchPage(ctx, n, a.receivedCount)
		if err != nil {
			return nil, err
		}
		a.add(p)
		if a.ends(p) {
			return a, nil
		}
	}
	a.isTooLong = true
	return a, nil
}

// add counts the ids on one page.
func (a *attempt) add(p Page) {
	if p.AnnouncedRows >= 0 {
		a.announcedCount = p.AnnouncedRows // the list may have grown since the last page
	}
	if len(p.RowIDs) == 0 {
		return
	}
	key := strings.Join(slices.Sorted(slices.Values(p.RowIDs)), "\x00")
	a.hasRepeatedPage = a.hasRepeatedPage || a.pages[key]
	a.pages[key] = true
	a.receivedCount += len(p.RowIDs)
	here := map[string]bool{}
	for _, id := range p.RowIDs { // an id may occur twice on one page: a job has one row for each place
		a.hasDuplicateID = a.hasDuplicateID || a.ids[id]
		if a.ids[id] || here[id] {
			a.repeatedID = cmp.Or(a.repeatedID, id)
		}
		here[id] = true
	}
	for id := range here {
		a.ids[id] = true
	}
}

// ends reports whether p is the last page to download.
func (a *attempt) ends(p Page) bool {
	if len(p.RowIDs) == 0 || a.hasRepeatedPage {
		return true
	}
	return p.IsLast || !p.HasMore && a.receivedCount >= a.announcedCount
}

// whole reports whether the download received the complete list.
func (a *attempt) whole() bool {
	if a.hasRepeatedPage || a.isTooLong {
		return false
	}
	return a.announcedCount == TotalUnknown || len(a.ids) == a.announcedCount
}

// refusal returns the error for an incomplete list. It states the number of rows announced, the
// number received, and how many of the received rows are distinct. It names one id that occurs more
// than once, if any.
func (a *attempt) refusal() error {
	why := "the list is not whole"
	switch {
	case a.hasRepeatedPage:
		why = "a page repeats one before it"
	case a.isTooLong:
		why = "the list has no end"
	}
	repeated := ""
	if !a.hasRepeatedPage && idPattern.MatchString(a.repeatedID) {
		repeated = "; " + a.repeatedID + " is there more than once"
	}
	if a.announcedCount == TotalUnknown {
		return sources.CodedErrorf(sources.FaultIncomplete,
			"%s: %d rows were received, %d of them distinct, and the publisher announces no number%s; fetch again",
			why, a.receivedCount, len(a.ids), repeated)
	}
	return sources.CodedErrorf(sources.FaultIncomplete,
		"%s: the publisher announces %d rows, %d were received, %d of them distinct%s; fetch again",
		why, a.announcedCount, a.receivedCount, len(a.ids), repeated)
}
