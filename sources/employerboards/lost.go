package employerboards

import (
	"fmt"

	"labour/sources"
)

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

// refuseLost refuses a list whose adverts all lack what those of the last list had: the
// vendor has changed its format, and an advert without its day of publication, for
// example, is not counted.
func (s *Connector) refuseLost(f sources.Fetcher, b Board, pages []sources.Object) error {
	before := s.lastPages(f, b)
	if len(before) == 0 || sameBodies(pages, before) {
		return nil
	}
	was := s.readBoard(&group{board: b, pages: before}, f)
	is := s.readBoard(&group{board: b, pages: pages}, f)
	if len(was.found) < fewAdverts || is.rows < fewAdverts {
		return nil
	}
	if len(is.found) == 0 {
		return sources.Coded(sources.FaultSchema, fmt.Errorf("board %s: none of its %d adverts can be read any more", b.name(), is.rows))
	}
	for _, p := range properties {
		if 2*was.count(p.has) >= len(was.found) && is.count(p.has) == 0 {
			return sources.Coded(sources.FaultSchema, fmt.Errorf("board %s: none of its %d adverts has %s any more; the vendor has changed its format", b.name(), is.rows, p.name))
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
	var pages []sources.Object
	for n := range maxPages {
		name := s.vendors[b.Vendor].request(b.Token, n).Name
		o, ok := f.Last(name)
		if !ok || n > 0 && name == pages[0].Name { // a list without pages
			break
		}
		pages = append(pages, o)
	}
	return pages
}

func sameBodies(x, y []sources.Object) bool {
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if x[i].SHA256 != y[i].SHA256 || x[i].SHA256 == "" {
			return false
		}
	}
	return true
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
