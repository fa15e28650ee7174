package web

import (
	"testing"

	"labour/serve/api"
)

// Figures of a correction are printed as other counts are. "<5" and a missing figure are not numbers.
func TestCorrectedFiguresHaveThousands(t *testing.T) {
	for _, c := range []struct {
		old, corrected   *string
		wantOld, wantNew string
	}{
		{new("2700"), new("270"), "2,700", "270"},
		{new("<5"), new("1200000"), "<5", "1,200,000"},
		{nil, new("12"), "no figure", "12"},
	} {
		got := correctionOf(api.Correction{Old: c.old, New: c.corrected})
		if got.Old != c.wantOld || got.New != c.wantNew {
			t.Errorf("%+v, want %s and %s", got, c.wantOld, c.wantNew)
		}
	}
}
