package paging

import (
	"context"
	"errors"
	"strings"
	"testing"

	"labour/sources"
)

// TestLastPage: an empty one, one after which none can be asked for, one that was there before, and
// one with which all announced rows are there and that shows no further one.
func TestLastPage(t *testing.T) {
	some := ids(0, 2)
	for name, c := range map[string]struct {
		page Page
		a    attempt
		want bool
	}{
		"empty":                 {Page{HasMore: true}, attempt{announcedCount: 9}, true},
		"no other can be asked": {Page{RowIDs: some, IsLast: true, HasMore: true}, attempt{announcedCount: 9}, true},
		"there before": {Page{RowIDs: some, HasMore: true},
			attempt{announcedCount: 9, hasRepeatedPage: true}, true},
		"a mark of another":   {Page{RowIDs: some, HasMore: true}, attempt{announcedCount: 2, receivedCount: 2}, false},
		"all announced":       {Page{RowIDs: some}, attempt{announcedCount: 2, receivedCount: 2}, true},
		"more than announced": {Page{RowIDs: some}, attempt{announcedCount: 2, receivedCount: 3}, true},
		"one is missing":      {Page{RowIDs: some}, attempt{announcedCount: 3, receivedCount: 2}, false},
		"nothing announced":   {Page{RowIDs: some}, attempt{announcedCount: TotalUnknown, receivedCount: 2}, true},
		"nothing announced, more": {Page{RowIDs: some, HasMore: true},
			attempt{announcedCount: TotalUnknown, receivedCount: 2}, false},
	} {
		if got := c.a.ends(c.page); got != c.want {
			t.Errorf("%s: the last page %t, want %t", name, got, c.want)
		}
	}
}

// TestRowsOfAnEmptyList: a list that announces no rows has none.
func TestRowsOfAnEmptyList(t *testing.T) {
	var f forgetful
	list := List{MaxPages: 3, FetchPage: func(context.Context, int, int) (Page, error) {
		return Page{RowIDs: ids(0, 2), AnnouncedRows: 0}, nil
	}}
	err := list.Fetch(t.Context(), &f)
	if sources.FaultCodeOf(err) != sources.FaultIncomplete || !strings.Contains(err.Error(),
		"announces 0 rows, 2 were received") ||
		f.again != 1 {
		t.Errorf("%v, fetched %d times more", err, f.again)
	}
}

// TestPagesToALimit: as many as are allowed are asked for, each with its number and the rows before it.
func TestPagesToALimit(t *testing.T) {
	for pages, ok := range map[int]bool{1: true, 3: true, 4: false} {
		var asked [][2]int
		list := List{MaxPages: 3, FetchPage: func(_ context.Context, n, rows int) (Page, error) {
			asked = append(asked, [2]int{n, rows})
			return Page{RowIDs: ids(2*n, 2*n+2), AnnouncedRows: 2 * pages}, nil
		}}
		err := list.Fetch(t.Context(), &forgetful{})
		if (err == nil) != ok || err != nil && !strings.Contains(err.Error(), "the list has no end") ||
			len(asked) != min(pages, 3) {
			t.Errorf("%d pages: %v, asked for %v", pages, err, asked)
		}
		for n, a := range asked {
			if a != [2]int{n, 2 * n} {
				t.Errorf("page %d is asked for as %v", n, a)
			}
		}
	}
}

// TestSecondTimeMayFailToo, with the error of that time.
func TestSecondTimeMayFailToo(t *testing.T) {
	var f forgetful
	gone := errors.New("gone")
	list := List{NamePrefix: "board", MaxPages: 6, FetchPage: func(context.Context, int, int) (Page, error) {
		if f.again > 0 {
			return Page{}, gone
		}
		return Page{RowIDs: ids(0, 2), AnnouncedRows: 3, IsLast: true}, nil
	}}
	if err := list.Fetch(t.Context(), &f); !errors.Is(err, gone) || f.again != 1 {
		t.Errorf("%v, fetched %d times more", err, f.again)
	}
}
