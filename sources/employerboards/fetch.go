package employerboards

import (
	"context"
	"fmt"
	"slices"

	"labour/sources"
	"labour/sources/jsonrows"
	"labour/sources/paging"
)

// maxPages is the maximum number of pages to fetch from one board. Without it, a vendor that
// repeats its last page would keep the fetch running for ever.
const maxPages = 200

// Fetch downloads every configured board, except retired ones, which their employers no longer use.
// If a board fails, its last good list is used. Fetch returns an error if every board failed or ctx
// ended.
//
// A board that suddenly lists no adverts counts as failed until the next day.
func (s *BoardsSource) Fetch(ctx context.Context, f sources.Fetcher) error {
	asked := 0
	var errs []error
	for _, b := range s.boards {
		if b.Retired {
			continue
		}
		asked++
		err := s.fetchBoard(ctx, f, b)
		if ctx.Err() != nil {
			return fmt.Errorf("fetch %s: %w", Key, ctx.Err())
		}
		if err != nil {
			err = sources.PartError(b.name(), err)
			f.MarkFailed(b.name(), err)
			errs = append(errs, err)
		}
	}
	if asked > 0 && len(errs) == asked {
		return sources.AllFailedError(errs)
	}
	return nil
}

// fetchBoard downloads a board's list and then the details of its adverts. It returns an error if
// the list is incomplete, suddenly empty or in a changed format.
func (s *BoardsSource) fetchBoard(ctx context.Context, f sources.Fetcher, b Board) error {
	last := s.lastPages(f, b)
	p := &pager{vendor: s.vendors[b.Vendor], board: b, from: f}
	if err := (paging.List{NamePrefix: b.name(), MaxPages: maxPages, FetchPage: p.page}).Fetch(ctx, f); err != nil {
		return err
	}
	wasFull := func() bool {
		return slices.ContainsFunc(last, func(o sources.ArchivedObject) bool {
			l, err := p.vendor.read(f, o)
			return err != nil || len(l.rows) > 0
		})
	}
	if len(p.rows) == 0 && wasFull() && !p.wasEmpty() {
		return sources.CodedErrorf(sources.FaultSuddenlyEmpty,
			"the board suddenly lists nothing; if it still does tomorrow, its vacancies are closed; "+
				"an employer that moves to another vendor leaves such a board: if it did, mark it retired and register the new one")
	}
	if err := s.checkFormat(f, b, p.objects, last); err != nil {
		return err
	}
	p.vendor.fetchDetails(ctx, f, b, p.rows)
	return nil
}

// pager downloads the pages of one board's list and collects the rows.
type pager struct {
	vendor  vendor
	board   Board
	from    sources.Fetcher
	query   string // query part of the next page's URL, if the vendor gives it
	objects []sources.ArchivedObject
	rows    []jsonrows.RawRow
}

// page downloads page n of a board's list. The first page is 0. rows is the number of rows on the
// earlier pages.
func (p *pager) page(ctx context.Context, n, rows int) (page paging.Page, err error) {
	if n == 0 {
		p.query = ""
		p.objects = nil
		p.rows = nil
	}
	r := p.vendor.request(p.board.Token, n, rows)
	if p.query != "" {
		r.URL += "?" + p.query
	}
	o, err := p.from.Get(ctx, r)
	if err != nil {
		return page, err
	}
	l, err := p.vendor.read(p.from, o)
	if err != nil {
		return page, err
	}
	p.objects, p.rows = append(p.objects, o), append(p.rows, l.rows...)
	namesItself := l.query != "" && l.query == p.query
	p.query = l.query
	return paging.Page{RowIDs: p.vendor.ids(l.rows), AnnouncedRows: l.total, HasMore: l.more && !namesItself,
		IsLast: !p.vendor.Paged || namesItself}, nil
}

// wasEmpty reports whether the board's list was also empty on an earlier day. A board that is empty
// on two days counts as having no vacancies.
func (p *pager) wasEmpty() bool {
	before, ok := p.from.EarlierBody(p.objects[0].Name)
	if !ok {
		return false
	}
	l, err := p.vendor.read(p.from, before)
	return err == nil && len(l.rows) == 0
}

// minComparedAdverts is the smallest list in which a field that all adverts lack is a sign of a
// changed format. In shorter lists, all adverts may lack a field by chance.
const minComparedAdverts = 3

// properties are the advert fields by which checkFormat detects a changed format. If all adverts
// suddenly lack one of them, the vendor has probably changed its format.
var properties = []struct {
	name string
	has  func(*sources.Advert) bool
}{
	{"a day of publication", func(a *sources.Advert) bool { return !a.Posted.IsZero() }},
	{"a place", func(a *sources.Advert) bool { return len(a.Locations) > 0 }},
	{"a text", func(a *sources.Advert) bool { return a.Text != "" }},
}

// checkFormat returns an error if the vendor has probably changed its format. It compares the pages
// of a board's new list with the pages of the old one.
//
// The format has probably changed if no new advert can be read. It has also changed if all new
// adverts lack a field that at least half of the old ones had. Lists with fewer than
// minComparedAdverts adverts are not compared.
func (s *BoardsSource) checkFormat(f sources.Fetcher, b Board, pages, oldPages []sources.ArchivedObject) error {
	if len(oldPages) == 0 || sameBodies(pages, oldPages) {
		return nil
	}
	oldReader := &boardReader{board: b, vendor: s.vendors[b.Vendor], pages: oldPages}
	newReader := &boardReader{board: b, vendor: oldReader.vendor, pages: pages}
	oldReader.read(f)
	newReader.read(f)
	if len(oldReader.adverts) < minComparedAdverts || newReader.rows < minComparedAdverts {
		return nil
	}
	if len(newReader.adverts) == 0 {
		return sources.CodedErrorf(sources.FaultSchema, "none of its %d adverts can be read any more", newReader.rows)
	}
	for _, p := range properties {
		if 2*oldReader.count(p.has) >= len(oldReader.adverts) && newReader.count(p.has) == 0 {
			return sources.CodedErrorf(sources.FaultSchema,
				"none of its %d adverts has %s any more; the vendor has changed its format", newReader.rows, p.name)
		}
	}
	return nil
}

func (b *boardReader) count(has func(*sources.Advert) bool) int {
	n := 0
	for i := range b.adverts {
		if has(&b.adverts[i]) {
			n++
		}
	}
	return n
}

// lastPages returns the pages of a board's list from the last successful fetch, in order.
func (s *BoardsSource) lastPages(f sources.Fetcher, b Board) []sources.ArchivedObject {
	boards, _ := s.byBoard(sources.Extract{Objects: f.ObjectsOfLastExtract(b.name())})
	if len(boards) == 0 {
		return nil
	}
	return boards[0].pages
}

func sameBodies(x, y []sources.ArchivedObject) bool {
	return slices.EqualFunc(x, y, func(a, b sources.ArchivedObject) bool { return a.SHA256 == b.SHA256 && a.SHA256 != "" })
}

// PartNames returns the names of the boards that are not retired, such as "ashby/acme".
func (s *BoardsSource) PartNames() []string {
	var names []string
	for _, b := range s.boards {
		if !b.Retired {
			names = append(names, b.name())
		}
	}
	return names
}
