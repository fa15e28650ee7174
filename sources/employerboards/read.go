package employerboards

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"labour/sources"
	"labour/sources/adverts"
	"labour/sources/parallel"
)

// group is the objects of one board within an extract.
type group struct {
	board   Board
	pages   []sources.Object // in the order of the list
	details []sources.Object
}

// Read turns the boards of one extract into adverts, board by board in the order of the extract. An
// advert that a board lists twice, once per place or on two pages, is one advert with all the
// places. Objects of a board that is not in the register are not read, and one fault each says so.
func (s *Connector) Read(ctx context.Context, x sources.Extract, open sources.Opener, out sources.Sink) error {
	groups, unknown := s.group(x)
	for _, o := range unknown {
		out.Fault(sources.Fault{Source: Key, Object: o.Name, Code: sources.FaultNotExpected,
			Detail: "the board is not in the register, so it was not read; add it with retired: true to read its past"})
	}
	for b := range parallel.Map(ctx, 0, slices.Values(groups), func(g *group) *boardReader { return s.readBoard(g, open) }) {
		if err := b.pass(out); err != nil {
			return fmt.Errorf("read %s: %w", b.board.name(), err)
		}
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("read %s: %w", Key, err)
	}
	return nil
}

// group sorts the objects of an extract by board. Pages are ordered by number,
// for "10" comes before "2" in an extract that is ordered by name.
func (s *Connector) group(x sources.Extract) (groups []*group, unknown []sources.Object) {
	boards := make(map[string]Board, len(s.boards))
	for _, b := range s.boards {
		boards[b.name()] = b
	}
	byName := map[string]*group{}
	for _, o := range x.Objects {
		name, rest := split(o.Name)
		b, ok := boards[name]
		if !ok {
			unknown = append(unknown, o)
			continue
		}
		g := byName[name]
		if g == nil {
			g = &group{board: b}
			byName[name] = g
			groups = append(groups, g)
		}
		if strings.HasPrefix(rest, detailMark) {
			g.details = append(g.details, o)
		} else {
			g.pages = append(g.pages, o)
		}
	}
	for _, g := range groups {
		slices.SortStableFunc(g.pages, func(a, b sources.Object) int { return page(a) - page(b) })
	}
	return groups, unknown
}

// detailMark begins the part of an object's name after the board, when the
// object is one advert of it.
const detailMark = "posting/"

// split cuts an object's name into "vendor/token" and the rest.
func split(name string) (board, rest string) {
	vendor, after, _ := strings.Cut(name, "/")
	token, rest, _ := strings.Cut(after, "/")
	return vendor + "/" + token, rest
}

func page(o sources.Object) int {
	_, rest := split(o.Name)
	n, _ := strconv.Atoi(rest) // a list without pages is page 0
	return n
}

// boardReader gathers the adverts of one board.
type boardReader struct {
	board  Board
	vendor vendor
	open   sources.Opener

	faults []sources.Fault
	found  []sources.Advert
	at     map[string]int // place in found by ID
	rows   int
	total  int
	last   listing
	lost   bool // a page could not be read to its end
}

// readBoard reads one board; others are read at the same time.
func (s *Connector) readBoard(g *group, open sources.Opener) *boardReader {
	b := &boardReader{board: g.board, vendor: s.vendors[g.board.Vendor], open: open, at: map[string]int{}, total: -1}
	for _, o := range g.pages {
		b.page(o)
	}
	if len(g.pages) > 0 {
		b.judge(g.pages[len(g.pages)-1])
	}
	for _, o := range g.details {
		b.detail(o)
	}
	return b
}

// pass hands on what was found: the faults, then the adverts.
func (b *boardReader) pass(out sources.Sink) error {
	for _, f := range b.faults {
		out.Fault(f)
	}
	for _, a := range b.found {
		if err := out.Emit(a); err != nil {
			return err
		}
	}
	return nil
}

// page reads one page; what cannot be read is a fault.
func (b *boardReader) page(o sources.Object) {
	var err error
	b.last, err = walkObject(b.open, o, b.vendor, func(i int, row []byte) error {
		b.row(o, i, row)
		return nil
	})
	if err != nil {
		b.lost = true
		b.fault(o, "", err)
		return
	}
	b.rows += b.last.rows
	b.total = max(b.total, b.last.total)
}

func (b *boardReader) row(o sources.Object, i int, row []byte) {
	a, err := b.vendor.advert(b.board.Token, row)
	where := "row " + strconv.Itoa(i+1)
	if err == nil {
		err = b.complete(&a)
	}
	if err != nil {
		b.fault(o, where, err)
		return
	}
	if k, ok := b.at[a.ID]; ok {
		merge(&b.found[k], a)
		return
	}
	b.at[a.ID] = len(b.found)
	b.found = append(b.found, a)
}

// complete fills in what the register knows, and tidies.
func (b *boardReader) complete(a *sources.Advert) error {
	if strings.TrimSpace(a.ID) == "" {
		return sources.Coded(sources.FaultSchema, errors.New("the advert has no id"))
	}
	a.ID = b.board.name() + "/" + strings.TrimSpace(a.ID)
	a.Source, a.Origin, a.Kind = Key, sources.OriginEmployerBoard, "job"
	a.Employer = b.board.Employer
	return adverts.Clean(a)
}

// merge adds to an advert what another row of the same id says.
func merge(a *sources.Advert, b sources.Advert) {
	a.Locations = adverts.Places(append(a.Locations, b.Locations...))
	a.Listed = a.Listed || b.Listed
	a.Text = cmp.Or(a.Text, b.Text)
}

// judge compares the list with what the publisher says of it.
func (b *boardReader) judge(o sources.Object) {
	switch {
	case b.lost:
	case b.total >= 0 && b.total != b.rows:
		b.report(o, sources.FaultIncomplete,
			fmt.Sprintf("the publisher announces %d adverts and the list holds %d; fetch again", b.total, b.rows))
	case b.last.more:
		b.report(o, sources.FaultIncomplete, "the last page is full, so a further one is missing; fetch again")
	case b.rows == 0:
		b.report(o, sources.FaultEmpty, "the board lists nothing; if the employer left it, mark it retired")
	}
}

// detail adds to an advert what only its own object says. One that is no longer
// listed is passed over: it was carried over from an earlier extract.
func (b *boardReader) detail(o sources.Object) {
	d, ok := b.vendor.(detailer)
	if !ok {
		b.report(o, sources.FaultNotExpected, "the vendor has no such objects")
		return
	}
	body, err := sources.ReadWhole(b.open, o)
	var more sources.Advert
	if err == nil {
		more, err = d.read(body)
	}
	if err != nil {
		b.fault(o, "", err)
		return
	}
	k, ok := b.at[b.board.name()+"/"+more.ID]
	if !ok {
		return
	}
	a := b.found[k]
	a.Text, a.Link, a.ApplyURL = more.Text, cmp.Or(more.Link, a.Link), cmp.Or(more.ApplyURL, a.ApplyURL)
	if err := adverts.Clean(&a); err != nil {
		b.fault(o, "", err)
		return
	}
	b.found[k] = a
}

func (b *boardReader) fault(o sources.Object, where string, err error) {
	b.faults = append(b.faults, sources.Fault{Source: Key, Object: o.Name, Where: where, Code: sources.CodeOf(err), Detail: err.Error()})
}

func (b *boardReader) report(o sources.Object, code sources.FaultCode, detail string) {
	b.fault(o, "", sources.Coded(code, errors.New(detail)))
}
