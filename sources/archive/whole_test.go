package archive_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"labour/sources"
	"labour/sources/archive"
)

// TestCarriedOf draws what publishers gave day by day, and compares what is carried with
// a memory of it.
func TestCarriedOf(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		a := open(t, t.TempDir())
		had, last := map[string]time.Time{}, map[string]bool{}
		for day := range rapid.IntRange(1, 6).Draw(rt, "days") {
			x := sources.Extract{Source: "s", At: noon.AddDate(0, 0, day)}
			for _, name := range []string{"v/a", "v/b/0", "v/b/1", "single"} {
				last[name] = rapid.Bool().Draw(rt, name)
				if !last[name] {
					had[name] = x.At
				}
				x.Objects = append(x.Objects, sources.Object{Name: name, Carried: last[name]})
			}
			if err := a.AppendExtract(x); err != nil {
				rt.Fatal(err)
			}
		}
		var want []archive.Part
		for _, p := range [][]string{{"single", "single"}, {"v/a", "v/a"}, {"v/b", "v/b/0", "v/b/1"}} {
			var oldest *time.Time
			for _, name := range p[1:] {
				if at := had[name]; last[name] && (oldest == nil || at.Before(*oldest)) {
					oldest = &at
				}
			}
			if oldest != nil {
				want = append(want, archive.Part{Name: p[0], LastHad: *oldest})
			}
		}
		got, err := a.CarriedOf("s", archive.Any)
		if err != nil {
			rt.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			rt.Fatal(diff)
		}
	})
}
