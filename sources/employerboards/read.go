package employerboards

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"labour/sources"
	"labour/sources/adverts"
	"labour/sources/parallel"
)

// Read emits the adverts of all boards in an extract (one fetch of the source). If a board lists an
// advert several times, for example once per place, Read emits one advert with all its places. It
// reports a fault for boards that are not configured.
func (s *BoardsSource) Read(ctx context.Context, x sources.Extract, open sources.Opener, out sources.RecordSink) error {
	boards, unknown := s.byBoard(x)
	for _, o := range unknown {
		out.Fault(sources.Fault{Source: Key, Object: o.Name, Code: sources.FaultWrongFormat,
			Detail: "the board is not in the register, so it was not read; add it with retired: true to read its past"})
	}
	read := func(b *boardReader) *boardReader {
		b.read(open)
		return b
	}
	for b := range parallel.Map(ctx, 0, 0, slices.Values(boards), read) {
		if err := b.pass(out); err != nil {
			return fmt.Errorf("read %s: %w", b.board.name(), err)
		}
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("read %s: %w", Key, err)
	}
	return nil
}

// byBoard groups the objects of an extract (one fetch of the source) by board. It sorts the pages
// of each board's list by number. unknownObjects are the objects of boards that are not configured.
func (s *BoardsSource) byBoard(x sources.Extract) (boards []*boardReader, unknownObjects []sources.ArchivedObject) {
	byName := map[string]*boardReader{}
	for _, o := range x.Objects {
		name, rest := split(o.Name)
		i := slices.IndexFunc(s.boards, func(b Board) bool { return b.name() == name })
		if i < 0 {
			unknownObjects = append(unknownObjects, o)
			continue
		}
		b := byName[name]
		if b == nil {
			b = &boardReader{board: s.boards[i], vendor: s.vendors[s.boards[i].Vendor]}
			byName[name] = b
			boards = append(boards, b)
		}
		if strings.HasPrefix(rest, detailMark) {
			b.details = append(b.details, o)
		} else {
			b.pages = append(b.pages, o)
		}
	}
	for _, b := range boards {
		slices.SortStableFunc(b.pages, func(a, b sources.ArchivedObject) int { return page(a) - page(b) })
	}
	return boards, unknownObjects
}

// split splits the name of an archived object after the board's name. For example, it splits
// "ashby/acme/2" into "ashby/acme" and "2".
func split(name string) (board, rest string) {
	vendor, after, _ := strings.Cut(name, "/")
	token, rest, _ := strings.Cut(after, "/")
	return vendor + "/" + token, rest
}

func page(o sources.ArchivedObject) int {
	_, rest := split(o.Name)
	n, _ := strconv.Atoi(rest) // a list without page numbers is page 0
	return n
}

// boardReader reads the adverts of one employer's board and collects the faults.
type boardReader struct {
	board   Board
	vendor  vendor
	pages   []sources.ArchivedObject // archived pages of the board's list, in order
	details []sources.ArchivedObject
	open    sources.Opener

	faults       []sources.Fault
	adverts      []sources.Advert
	at           map[string]int  // index in adverts of each advert, by its ID
	rows         int             // number of rows read
	ids          map[string]bool // ids of all rows that were read
	total        int             // number of adverts that the vendor announced; -1 = none announced
	last         listing         // last page read
	isIncomplete bool            // whether a page could not be read completely
}

// read parses all objects of the board. It sets b.adverts and b.faults.
func (b *boardReader) read(open sources.Opener) {
	b.open = open
	b.at = map[string]int{}
	b.ids = map[string]bool{}
	b.total = -1
	for _, o := range b.pages {
		b.page(o)
	}
	if len(b.pages) > 0 {
		b.checkCount(b.pages[len(b.pages)-1])
	}
	for _, o := range b.details {
		b.detail(o)
	}
}

// pass emits the board's faults and then its adverts.
func (b *boardReader) pass(out sources.RecordSink) error {
	for _, f := range b.faults {
		out.Fault(f)
	}
	for _, a := range b.adverts {
		if err := out.Emit(a); err != nil {
			return err
		}
	}
	return nil
}

// page parses one page of the board's list. It records a fault for each unreadable row.
func (b *boardReader) page(o sources.ArchivedObject) {
	var err error
	if b.last, err = b.vendor.read(b.open, o); err != nil {
		b.isIncomplete = true
		b.fault(o, "", err)
		return
	}
	for i, row := range b.last.rows {
		if err := b.row(row); err != nil {
			b.fault(o, "row "+strconv.Itoa(i+1), err)
		}
	}
	for _, id := range b.vendor.ids(b.last.rows) {
		b.ids[id] = true
	}
	b.rows += len(b.last.rows)
	b.total = max(b.total, b.last.total)
}

// row reads one row of the list. A row with the id and the title of an earlier one has further places
// of the same advert. A row with the id of an advert with another title is an error.
func (b *boardReader) row(row []byte) error {
	a, err := b.vendor.advert(b.board.Token, row)
	if err == nil {
		err = b.complete(&a)
	}
	if err != nil {
		return err
	}
	if k, ok := b.at[a.ID]; ok {
		if a.Title != b.adverts[k].Title {
			return sources.CodedErrorf(sources.FaultSchema,
				"the id %.100s is that of an earlier row with another title; the row is not used", a.ID)
		}
		merge(&b.adverts[k], a)
		return nil
	}
	b.at[a.ID] = len(b.adverts)
	b.adverts = append(b.adverts, a)
	return nil
}

// complete sets the fields of an advert that the vendor's data do not contain, such as the
// employer. It then cleans the texts.
func (b *boardReader) complete(a *sources.Advert) error {
	if a.ID == "" {
		return sources.CodedErrorf(sources.FaultSchema, "the advert has no id")
	}
	a.ID = b.board.name() + "/" + a.ID
	a.Source = Key
	a.Origin = sources.OriginEmployerBoard
	a.Kind = "job"
	a.Employer = b.board.Employer
	return adverts.CleanAdvert(a)
}

// merge adds the places of b to a. Both come from rows for the same advert. If a has no text, merge
// copies the text of b. It marks a as open to everyone (Listed) if b is.
func merge(a *sources.Advert, b sources.Advert) {
	a.Locations = adverts.CleanLocations(append(a.Locations, b.Locations...))
	a.Listed = a.Listed || b.Listed
	a.Text = cmp.Or(a.Text, b.Text)
}

// checkCount adds a fault if the number of adverts read differs from the number that the vendor
// announced, or if the last page is missing. o is the archived page that the fault names. If a page
// was unreadable, checkCount adds nothing, because that page already has a fault.
func (b *boardReader) checkCount(o sources.ArchivedObject) {
	switch {
	case b.isIncomplete:
	case b.total >= 0 && b.total != len(b.ids):
		b.report(o, sources.FaultIncomplete,
			"the publisher announces %d adverts, %d were received, %d of them distinct; fetch again",
			b.total, b.rows, len(b.ids))
	case b.last.more:
		b.report(o, sources.FaultIncomplete, "the last page is full, so a further one is missing; fetch again")
	}
}

func (b *boardReader) fault(o sources.ArchivedObject, where string, err error) {
	b.faults = append(b.faults, sources.Fault{Source: Key, Object: o.Name, Where: where, Code: sources.FaultCodeOf(err),
		Detail: err.Error()})
}

func (b *boardReader) report(o sources.ArchivedObject, code sources.FaultCode, format string, args ...any) {
	b.fault(o, "", sources.CodedErrorf(code, format, args...))
}
