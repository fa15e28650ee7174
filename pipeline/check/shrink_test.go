package check

import (
	"testing"

	"labour/pipeline/check/limits"
)

// TestSharesOfFewAdverts holds that the shares of adverts with a code are compared where there were
// enough adverts before and now: a source that shrank to few is judged by its records only.
func TestSharesOfFewAdverts(t *testing.T) {
	of := func(inUK, coded int64) *sourceEntry {
		a := &advertCounts{Counted: inUK, Listed: inUK, InUK: inUK, Placed: coded, WithSOC: coded, WithSector: coded,
			WithSkill: coded}
		return &sourceEntry{Records: inUK, Adverts: a}
	}
	loose := limits.Source{MaxFallPct: 100, MaxRisePct: 100_000}
	for _, c := range []struct {
		name        string
		before, now *sourceEntry
		want        string
	}{
		{"enough before and now", of(150, 150), of(100, 0), "coded coded coded coded"},
		{"one too few now", of(150, 150), of(99, 0), ""},
		{"one too few before", of(99, 99), of(150, 0), ""},
		{"as many coded", of(150, 150), of(100, 100), ""},
	} {
		if got := checkNames(changes(c.before, c.now, "", loose)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
