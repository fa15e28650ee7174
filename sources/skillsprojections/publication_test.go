package skillsprojections

import "testing"

// TestDefaultsOfAPublication: only projections are on a sheet with a known name, and the operator's
// own settings are kept.
func TestDefaultsOfAPublication(t *testing.T) {
	for _, c := range []struct {
		given       Publication
		sheet       string
		title       string
		reuse, kind string
	}{
		{Publication{Kind: KindProjections}, "Occ T2", titles[KindProjections], ReuseUnconfirmed, KindProjections},
		{Publication{Kind: KindProjections, Sheet: "Mine", Title: "My title"}, "Mine", "My title", ReuseUnconfirmed,
			KindProjections},
		{Publication{Kind: KindPriorityOccupations}, "", titles[KindPriorityOccupations], ReuseUnconfirmed,
			KindPriorityOccupations},
	} {
		p := c.given
		_ = p.complete() // other settings are missing
		if p.Sheet != c.sheet || p.Title != c.title || p.Reuse != c.reuse || p.Kind != c.kind {
			t.Errorf("%+v is completed to %+v", c.given, p)
		}
	}
}
