package snapshots

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestParseID(t *testing.T) {
	for s, ok := range map[string]bool{
		"2026-11-20.1": true, "2026-11-20.10": true, "0001-01-01.999999": true,
		"": false, "2026-11-20": false, "2026-11-20.": false, "2026-11-20.0": false, "2026-11-20.01": false,
		"2026-11-20.-1": false, "2026-11-20.+1": false, "2026-02-30.1": false, "2026-11-20.1 ": false,
		"2026-11-20.1000000": false, "../6-11-20.1": false, "2026-11-20/1": false, "2026-11-20.1\n": false,
	} {
		id, err := ParseID(s)
		if (err == nil) != ok || ok && string(id) != s || !ok && (id != "" || !errors.Is(err, ErrInvalidID)) {
			t.Errorf("ParseID(%q) = %q, %v", s, id, err)
		}
	}
}

func TestIDsOrderByDateThenRun(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) (int64, int, ID) {
			d := rapid.Int64Range(0, 40000).Draw(t, name+" day")
			r := rapid.IntRange(1, 999999).Draw(t, name+" run")
			return d, r, NewID(time.Unix(d*24*60*60+3600, 0), r)
		}
		d1, r1, a := draw("a")
		d2, r2, b := draw("b")
		want := slices.Compare([]int64{d1, int64(r1)}, []int64{d2, int64(r2)})
		if got := a.Compare(b); got != want {
			t.Fatalf("%s.Compare(%s) = %d, want %d", a, b, got, want)
		}
		if back, err := ParseID(a.String()); err != nil || back != a || back.Run() != r1 ||
			back.Date().Unix() != d1*24*60*60 {
			t.Fatalf("%s came back as %s, %v", a, back, err)
		}
	})
}

func FuzzParseID(f *testing.F) {
	for _, s := range []string{"2026-11-20.1", "2026-11-20.01", "9999-12-31.999999", ".", "2026-11-20.1/.."} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		id, err := ParseID(s)
		if err != nil {
			return
		}
		if string(id) != s || NewID(id.Date(), id.Run()) != id || id.Compare(id) != 0 {
			t.Fatalf("%q parsed as %q, date %s, run %d", s, id, id.Date(), id.Run())
		}
	})
}

// TestParseDate holds that only whole dates are dates, and that the error has the text.
func TestParseDate(t *testing.T) {
	for text, want := range map[string]string{"2028-02-29": "2028-02-29", "2026-02-29": "", "2026-13-01": "",
		"2026-1-2": "", "": "", "2026-01-02T00:00:00Z": ""} {
		d, err := ParseDate(text)
		if want != "" && (err != nil || d.String() != want) {
			t.Errorf("%q is %v, %v", text, d, err)
		}
		if want == "" && (err == nil || !strings.Contains(err.Error(), strconv.Quote(text))) {
			t.Errorf("%q: the error is %v", text, err)
		}
	}
}
