package tally

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// Vocabulary is the codes of the slugs, see the constants. At most 63 sources, so
// that their mask holds them.
type Vocabulary struct {
	Places  map[string]uint16
	Kinds   map[string]string // area_kind by place; that of "" is all
	Sectors map[string]uint8
	Skills  map[string]uint32 // from 1
	Sources []string          // by code
}

// faultsShown bounds what an Unfit lists; the rest follows from the first ones.
const faultsShown = 20

// Unfit is the error for tables that name what the vocabularies do not list.
type Unfit struct{ Faults []string }

// Error lists the faults.
func (u *Unfit) Error() string {
	faults := make([]error, len(u.Faults))
	for i, f := range u.Faults {
		faults[i] = errors.New(f)
	}
	return errors.Join(faults...).Error()
}

// Load reads the tables adverts, adverts_total and people of a snapshot whose
// tables are in dir and whose as_of is in the month that begins at month. An
// *Unfit error names what the vocabularies do not list.
func Load(ctx context.Context, dir string, month time.Time, v Vocabulary) (*Tally, error) {
	t := &Tally{places: len(v.Places), skills: len(v.Skills)}
	l := &loader{dir: dir, vocabulary: v, month: month.UTC()}
	faults := make([]map[string]bool, 3)
	g, ctx := errgroup.WithContext(ctx)
	for i, read := range []func(context.Context, *loader, map[string]bool) error{t.readAdverts, t.readTotals, t.readPeople} {
		faults[i] = map[string]bool{}
		g.Go(func() error { return read(ctx, l, faults[i]) })
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	maps.Copy(faults[0], faults[1])
	maps.Copy(faults[0], faults[2])
	if list := slices.Sorted(maps.Keys(faults[0])); len(list) > 0 {
		return nil, &Unfit{list[:min(len(list), faultsShown)]}
	}
	return t, nil
}

// loader is what reading the tables needs.
type loader struct {
	dir        string
	vocabulary Vocabulary
	month      time.Time
}

func (l *loader) file(table string) string { return filepath.Join(l.dir, table+".parquet") }

// rows is how many rows a table has, to make room for them at once.
func (l *loader) rows(table string) (int, error) {
	n, err := parquetio.Rows(l.file(table))
	return int(n), err
}

// coder codes texts that a vocabulary may not list: those get codes of their own
// after the listed ones, so that a fault can name them.
type coder struct {
	listed uint32
	codes  map[string]uint32
	texts  map[uint32]string
}

func newCoder[T uint8 | uint16 | uint32](codes map[string]T, after uint32) *coder {
	c := &coder{listed: after, codes: make(map[string]uint32, len(codes)), texts: make(map[uint32]string, len(codes))}
	for text, code := range codes {
		c.codes[text], c.texts[uint32(code)] = uint32(code), text
	}
	return c
}

func (c *coder) code(text string) uint32 {
	code, ok := c.codes[text]
	if !ok {
		code = c.listed + uint32(len(c.codes))
		text = string([]byte(text)) // not a part of the batch
		c.codes[text], c.texts[code] = code, text
	}
	return code
}

func (c *coder) knows(code uint32) bool { return code < c.listed }

// unlisted is above every code of a listed value.
const unlisted = 1 << 20

func indexed(keys []string) map[string]uint16 {
	codes := make(map[string]uint16, len(keys))
	for i, k := range keys {
		codes[k] = uint16(i)
	}
	return codes
}

// socs codes unit groups by their number; anything but four digits is unlisted.
func socs() *coder {
	c := newCoder(map[string]uint16{"": NotKnown}, unlisted)
	for n := 1000; n <= lastSOC; n++ {
		text := fmt.Sprint(n)
		c.codes[text], c.texts[uint32(n)] = uint32(n), text
	}
	return c
}

// secondsPerDay is the unit of the days in Parquet.
const secondsPerDay = 24 * 60 * 60

// calendar tells how many months a day lies before that of as_of.
type calendar struct {
	first uint32  // the first day that is held, since 1970
	back  []uint8 // by days since then
}

func (l *loader) calendar() calendar {
	first := l.month.AddDate(0, 1-months, 0)
	c := calendar{first: uint32(first.Unix() / secondsPerDay)}
	for n := range months {
		for day := first.AddDate(0, n, 0); day.Before(first.AddDate(0, n+1, 0)); day = day.AddDate(0, 0, 1) {
			c.back = append(c.back, uint8(months-1-n))
		}
	}
	return c
}

// of is the months back of a day; held is false outside the 24 months.
func (c *calendar) of(day uint32) (back uint8, held bool) {
	if i := int64(day) - int64(c.first); i >= 0 && i < int64(len(c.back)) {
		return c.back[i], true
	}
	return 0, false
}

// kinds are the area kinds by code, and want the one of each place by code.
func (l *loader) kinds() (kind *coder, want []uint32) {
	kind = newCoder(map[string]uint8{snapshots.AreaAll: 0, snapshots.AreaBorough: 1, snapshots.AreaServed: 2}, unlisted)
	want = make([]uint32, len(l.vocabulary.Places))
	for place, code := range l.vocabulary.Places {
		want[code] = kind.code(l.vocabulary.Kinds[place])
	}
	return kind, want
}
