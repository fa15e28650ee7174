package employerboards

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"labour/sources"
)

// maxPages bounds the pages of one board. No employer comes near it; a vendor
// that repeats its last page for ever would.
const maxPages = 200

// Fetch asks every board of the register that is not retired. A board that is gone, has become a
// web page, or is suddenly empty is one failed part, for which its last good list stands in; the
// others go on. The error says that no board gave anything.
func (s *Connector) Fetch(ctx context.Context, f sources.Fetcher) error {
	asked, failed := 0, 0
	var first error
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
			err = fmt.Errorf("board %s: %w", b.name(), err)
			f.Failed(b.name(), err)
			failed++
			first = cmp.Or(first, err)
		}
	}
	if asked > 0 && failed == asked {
		return fmt.Errorf("none of %d boards could be had, the first: %w", asked, first)
	}
	return nil
}

// fetchBoard gets the pages of one board. It is taken whole or not at all.
func (s *Connector) fetchBoard(ctx context.Context, f sources.Fetcher, b Board) error {
	v := s.vendors[b.Vendor]
	last := s.lastPages(f, b)
	query, listed, announced := "", 0, -1
	var pages []sources.Object
	for n := range maxPages {
		req := v.request(b.Token, n)
		if query != "" {
			req.URL += "?" + query
		}
		o, err := f.Get(ctx, req)
		if err != nil {
			return err
		}
		l, err := v.read(f, o)
		if err != nil {
			return err
		}
		pages = append(pages, o)
		listed, announced = listed+len(l.rows), max(announced, l.total)
		v.fetchDetails(ctx, f, b, l)
		more := l.more || v.Paged && len(l.rows) > 0 && listed < l.total
		if !more || l.query != "" && l.query == query { // a page that names itself is the last
			break
		}
		query = l.query
	}
	wasFull := func() bool {
		return slices.ContainsFunc(last, func(o sources.Object) bool {
			l, err := v.read(f, o)
			return err != nil || len(l.rows) > 0
		})
	}
	switch {
	case listed == 0 && wasFull():
		return sources.Codedf(sources.FaultEmpty, "the board suddenly lists nothing; "+
			"an employer that moves to another vendor leaves such a board: if it did, mark it retired and register the new one")
	case 4*listed < 3*announced && wasFull():
		// The vacancies that a part of the list lacks are not closed. A list that moved while it
		// was paged lacks a few, and is taken.
		return sources.Codedf(sources.FaultIncomplete, "the publisher announces %d adverts and lists %d; fetch again", announced, listed)
	}
	return s.refuseLost(f, b, pages, last)
}

// fewAdverts is how many adverts a list must have for what they all lack to mean anything.
const fewAdverts = 3

// properties are what most adverts of every vendor say.
var properties = []struct {
	name string
	has  func(*sources.Advert) bool
}{
	{"a day of publication", func(a *sources.Advert) bool { return !a.Posted.IsZero() }},
	{"a place", func(a *sources.Advert) bool { return len(a.Locations) > 0 }},
	{"a text", func(a *sources.Advert) bool { return a.Text != "" }},
}

// refuseLost refuses a list whose adverts all lack what those of the last list had: the vendor has
// changed its format, and an advert without its day of publication, for example, is not counted.
func (s *Connector) refuseLost(f sources.Fetcher, b Board, pages, before []sources.Object) error {
	if len(before) == 0 || sameBodies(pages, before) {
		return nil
	}
	was := &boardReader{board: b, vendor: s.vendors[b.Vendor], pages: before}
	is := &boardReader{board: b, vendor: was.vendor, pages: pages}
	was.read(f)
	is.read(f)
	if len(was.found) < fewAdverts || is.rows < fewAdverts {
		return nil
	}
	if len(is.found) == 0 {
		return sources.Codedf(sources.FaultSchema, "none of its %d adverts can be read any more", is.rows)
	}
	for _, p := range properties {
		if 2*was.count(p.has) >= len(was.found) && is.count(p.has) == 0 {
			return sources.Codedf(sources.FaultSchema, "none of its %d adverts has %s any more; the vendor has changed its format", is.rows, p.name)
		}
	}
	return nil
}

func (b *boardReader) count(has func(*sources.Advert) bool) int {
	n := 0
	for i := range b.found {
		if has(&b.found[i]) {
			n++
		}
	}
	return n
}

// lastPages are the pages of a board in the last extract.
func (s *Connector) lastPages(f sources.Fetcher, b Board) []sources.Object {
	boards, _ := s.byBoard(sources.Extract{Objects: f.Last(b.name())})
	if len(boards) == 0 {
		return nil
	}
	return boards[0].pages
}

func sameBodies(x, y []sources.Object) bool {
	return slices.EqualFunc(x, y, func(a, b sources.Object) bool { return a.SHA256 == b.SHA256 && a.SHA256 != "" })
}

// Parts are the names of the boards that are asked for.
func (s *Connector) Parts() []string {
	var names []string
	for _, b := range s.boards {
		if !b.Retired {
			names = append(names, b.name())
		}
	}
	return names
}
