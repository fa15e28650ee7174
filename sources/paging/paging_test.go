package paging

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"labour/sources"
)

// forgetful counts how often a part is asked for again.
type forgetful struct {
	sources.Fetcher
	again int
}

func (f *forgetful) DiscardPart(string) { f.again++ }

// ids are the ids from..to-1.
func ids(from, to int) (list []string) {
	for i := from; i < to; i++ {
		list = append(list, fmt.Sprint(i))
	}
	return list
}

// announcing are pages of ids of a publisher that announces so many; the last is repeated by
// nothing but an empty page.
func announcing(total int, pages ...[]string) []Page {
	var list []Page
	for i, p := range pages {
		list = append(list, Page{RowIDs: p, AnnouncedRows: total, HasMore: total < 0 && i+1 < len(pages)})
	}
	return list
}

func TestFetch(t *testing.T) {
	for _, c := range []struct {
		name          string
		first, second []Page // of the first and, where it is asked for, the second time
		again         int
		says          string // "" = whole
	}{
		{name: "whole", first: announcing(15, ids(0, 10), ids(10, 15))},
		{name: "a page shorter than the bound of the publisher", first: announcing(15, ids(0, 4), ids(4, 8), ids(8, 12),
			ids(12, 15))},
		{name: "one page", first: announcing(3, ids(0, 3))},
		{name: "none of none", first: announcing(0, nil)},
		{name: "nothing announced, short page", first: announcing(TotalUnknown, ids(0, 10), ids(10, 15))},
		{name: "nothing announced, empty page", first: announcing(TotalUnknown, ids(0, 10), nil)},
		{name: "every page is the first", first: announcing(16, ids(0, 10), ids(0, 10)),
			says: "a page repeats one before it: the publisher announces 16 rows, 20 were received, 10 of them distinct"},
		{name: "nothing announced and every page is the first", first: announcing(TotalUnknown, ids(0, 10), ids(0, 10)),
			says: "20 rows were received, 10 of them distinct, and the publisher announces no number"},
		{name: "moved once", first: announcing(15, ids(0, 10), ids(9, 14)),
			second: announcing(15, ids(0, 10), ids(10, 15)), again: 1},
		{name: "moved and never whole", first: announcing(15, ids(0, 10), ids(9, 14)),
			second: announcing(15, ids(0, 10), ids(9, 14)), again: 1,
			says: "announces 15 rows, 15 were received, 14 of them distinct; 9 is there more than once; fetch again"},
		{name: "an id twice on one page", first: announcing(3, []string{"a", "VAC-1", "VAC-1"}),
			second: announcing(3, []string{"a", "VAC-1", "VAC-1"}), again: 1,
			says: "3 were received, 2 of them distinct; VAC-1 is there more than once; fetch again"},
		{name: "a row without an id twice", first: announcing(3, []string{"a", `{"name":"A"}`, `{"name":"A"}`}),
			second: announcing(3, []string{"a", `{"name":"A"}`, `{"name":"A"}`}), again: 1,
			says: "3 were received, 2 of them distinct; fetch again"},
		{name: "nothing announced and moved", first: announcing(TotalUnknown, ids(0, 10), ids(9, 14)),
			second: announcing(TotalUnknown, ids(0, 10), ids(9, 14)), again: 1},
		{name: "capped and not paged on", first: announcing(33, ids(0, 20), nil),
			second: announcing(33, ids(0, 20), nil), again: 1,
			says: "announces 33 rows, 20 were received, 20 of them distinct"},
		{name: "more than announced", first: announcing(10, ids(0, 12)), second: announcing(10, ids(0, 12)), again: 1,
			says: "announces 10 rows, 12"},
		{name: "grown while it was paged", first: []Page{{RowIDs: ids(0, 10), AnnouncedRows: 11},
			{RowIDs: ids(10, 12), AnnouncedRows: 12}}},
		{name: "a row for each place of a job",
			first: []Page{{RowIDs: []string{"a", "a", "b"}, AnnouncedRows: TotalUnknown, IsLast: true}}},
		{name: "no end", first: announcing(TotalUnknown, ids(0, 10), ids(10, 20), ids(20, 30), ids(30, 40), ids(40, 50),
			ids(50, 60), ids(60, 70)), says: "no end"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var f forgetful
			list := List{NamePrefix: "board", MaxPages: 6, FetchPage: func(_ context.Context, n, rows int) (Page, error) {
				return [][]Page{c.first, c.second}[f.again][n], nil
			}}
			err := list.Fetch(t.Context(), &f)
			if f.again != c.again {
				t.Errorf("fetched %d times more, want %d", f.again, c.again)
			}
			switch {
			case c.says == "" && err != nil:
				t.Error(err)
			case c.says != "" && (sources.FaultCodeOf(err) != sources.FaultIncomplete ||
				!strings.Contains(err.Error(), c.says)):
				t.Errorf("%v, want words like %q", err, c.says)
			}
		})
	}
}

func TestFetchStopsAtAnError(t *testing.T) {
	var f forgetful
	gone := errors.New("gone")
	list := List{MaxPages: 6, FetchPage: func(_ context.Context, n, _ int) (Page, error) {
		if n == 1 {
			return Page{}, gone
		}
		return Page{RowIDs: ids(0, 10), AnnouncedRows: 20}, nil
	}}
	if err := list.Fetch(t.Context(), &f); !errors.Is(err, gone) || f.again != 0 {
		t.Errorf("%v, fetched %d times more", err, f.again)
	}
}

// However a publisher cuts its list and wherever it begins to repeat, lose or add rows: what is
// taken has every row that is announced, and nothing else is taken.
func TestTakenIsWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := ids(0, rapid.IntRange(0, 40).Draw(t, "rows"))
		size := rapid.IntRange(1, 12).Draw(t, "page size")
		deaf := rapid.IntRange(0, 60).Draw(t, "offsets heard up to")
		hidden := rapid.IntRange(0, 3).Draw(t, "rows on no page")
		shown := list[:max(0, len(list)-hidden)]
		got := map[string]bool{}
		page := func(_ context.Context, n, rows int) (Page, error) {
			if n == 0 {
				clear(got)
			}
			from := min(rows, deaf, len(shown))
			ids := shown[from:min(from+size, len(shown))]
			for _, id := range ids {
				got[id] = true
			}
			return Page{RowIDs: slices.Clone(ids), AnnouncedRows: len(list)}, nil
		}
		err := List{MaxPages: 100, FetchPage: page}.Fetch(context.Background(), &forgetful{})
		if whole := len(got) == len(list); whole != (err == nil) && !(whole && err != nil && deaf < len(list)) {
			t.Fatalf("%d of %d rows: %v", len(got), len(list), err)
		}
	})
}
