package web_test

import (
	"slices"
	"strings"
	"testing"
)

// The figures of a skill in a place stand next to those of all places, each under the name of its place.
func TestFiguresHaveTheNameOfTheirPlace(t *testing.T) {
	s := newSite(t)
	for path, want := range map[string][]string{"/skills/sql?place=camden": {"Figure", "Camden", "All places"},
		"/skills/sql": {"Figure", "All places"}} {
		found := false
		for _, table := range elements(s.page(t, path), "table") {
			if attribute(table, "class") != "facts" {
				continue
			}
			var heads []string
			for _, head := range elements(elements(table, "thead")[0], "th") {
				heads = append(heads, text(head))
			}
			if found = slices.Equal(heads, want); !found {
				t.Errorf("%s has the columns %q, want %q", path, heads, want)
			}
			for _, row := range elements(elements(table, "tbody")[0], "tr") {
				if n := len(elements(row, "td")); n != len(want)-1 {
					t.Errorf("%s: %s has %d figures", path, text(row), n)
				}
			}
		}
		if !found {
			t.Errorf("%s has no table of its figures", path)
		}
	}
}

// The sections below a comparison are of the first place only, and their headings say so.
func TestSectionsOfAComparisonNameTheirPlace(t *testing.T) {
	tree := newSite(t).page(t, "/places/camden?with=islington")
	named := 0
	for _, head := range elements(tree, "h2") {
		if strings.Contains(text(head), " in Camden") {
			named++
		}
	}
	if named != 4 {
		t.Errorf("%d headings name Camden: want what changed, turned down, sectors and training", named)
	}
	if !strings.Contains(text(tree), "Below: Camden only.") {
		t.Error("the page does not name the place of the sections")
	}
}
