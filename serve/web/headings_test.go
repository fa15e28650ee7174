package web_test

import (
	"testing"

	"golang.org/x/net/html"
)

// TestHeadingsHaveNoGaps: no heading is more than one level below the heading before it, since people
// who listen to a page move by its headings.
func TestHeadingsHaveNoGaps(t *testing.T) {
	s := newSite(t)
	for _, path := range kindsOfPage() {
		s.headingsFollow(t, path)
	}
	s = siteWith(t, changedContent(t, map[string]int32{"python": 855, "sql": 1000},
		map[string]int32{"python": 1282, "sql": 1010}))
	s.headingsFollow(t, "/changes")
}

// headingsFollow fails if a heading of a page skips a level.
func (s *site) headingsFollow(t *testing.T, path string) {
	t.Helper()
	tree, err := html.Parse(s.get(t, path).Body)
	if err != nil {
		t.Fatal(err)
	}
	level := 0
	for _, e := range elements(tree, "") {
		if len(e.Data) != 2 || e.Data[0] != 'h' || e.Data[1] < '1' || e.Data[1] > '6' {
			continue
		}
		next := int(e.Data[1] - '0')
		if next > level+1 {
			t.Errorf("%s: <%s> %q follows a heading of level %d", path, e.Data, text(e), level)
		}
		level = next
	}
}
