package ingest

import (
	"testing"

	"labour/sources"
)

// An older version that was posted in an earlier month is a former posting of the vacancy, and is not superseded.
func TestFormerPostingsAreNotSuperseded(t *testing.T) {
	version := func(posted string) sources.Advert {
		a := liveAdvert()
		day, err := sources.ParseDate(posted)
		if err != nil {
			t.Fatal(err)
		}
		a.Posted = day
		return a
	}
	h := newExtractHistory(true, nil)
	for i, c := range []struct {
		posted string
		want   bool
	}{
		{"2026-07-10", false},
		{"2026-07-02", true}, // the same month
		{"2026-05-31", false},
		{"2026-06-20", true}, // corrected to an earlier day since
		{"", true},
		{"2025-12-01", false},
	} {
		h.begin(i == 0, false)
		a := version(c.posted)
		if got := h.isSuperseded(&a); got != c.want || h.hasNewer(&a) != c.want {
			t.Errorf("version %d, posted %q: superseded %v, want %v", i, c.posted, got, c.want)
		}
		h.end()
	}
}
