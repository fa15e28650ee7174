package main

import (
	"crypto/rand"
	"errors"
	"log/slog"
	"path/filepath"
	"testing"
	"unicode"

	"labour/serve/partners/access"
	"labour/serve/stores"
	"labour/sources"
	"labour/sources/intake"
)

// TestPartnersHaveNamesOfTheFeed: the feed's texts are cleaned, so the events of a name that this changes
// would go to another partner or to nobody. No partner gets such a name.
func TestPartnersHaveNamesOfTheFeed(t *testing.T) {
	s, err := stores.Open(t.Context(), filepath.Join(t.TempDir(), "state.db"), scriptClock, rand.Reader,
		slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	removed, kept := 0, 0
	for r := rune(1); r <= unicode.MaxRune; r++ {
		mayBeRemoved := unicode.In(r, unicode.Cc, unicode.Cf, unicode.Z, unicode.Noncharacter_Code_Point)
		if !mayBeRemoved && r != unicode.ReplacementChar && r%9973 != 0 {
			continue // most letters and signs, which are alike
		}
		name := "North" + string(r) + "Jobs"
		event, _ := intake.CleanRecord(sources.Event{Partner: name})
		isKept := event.(sources.Event).Partner == name
		_, err := s.Keys.CreatePartner(t.Context(), name)
		switch {
		case isKept && err == nil:
			kept++
		case isKept && unicode.IsSpace(r) && errors.Is(err, access.ErrInvalidPartnerName):
		case !isKept && errors.Is(err, access.ErrInvalidPartnerName):
			removed++
		default:
			t.Errorf("%q: the feed keeps the name: %v; the partner: %v", name, isKept, err)
		}
	}
	if removed < 200 || kept < 20 {
		t.Errorf("%d characters were removed and %d kept", removed, kept)
	}
}
