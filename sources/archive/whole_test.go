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
			x := sources.Extract{Source: "s", FetchedAt: noon.AddDate(0, 0, day)}
			for _, name := range []string{"v/a", "v/b/0", "v/b/1", "single"} {
				last[name] = rapid.Bool().Draw(rt, name)
				if !last[name] {
					had[name] = x.FetchedAt
				}
				x.Objects = append(x.Objects, sources.ArchivedObject{Name: name, Carried: last[name]})
			}
			if err := a.AppendExtract(x); err != nil {
				rt.Fatal(err)
			}
		}
		var want []archive.PartDelivery
		for _, p := range [][]string{{"single", "single"}, {"v/a", "v/a"}, {"v/b", "v/b/0", "v/b/1"}} {
			var oldest *time.Time
			for _, name := range p[1:] {
				if at := had[name]; last[name] && (oldest == nil || at.Before(*oldest)) {
					oldest = &at
				}
			}
			if oldest != nil {
				want = append(want, archive.PartDelivery{Name: p[0], LastDelivered: *oldest})
			}
		}
		got, err := a.CarriedParts("s", archive.PartOfObject, archive.AllExtracts)
		if err != nil {
			rt.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			rt.Fatal(diff)
		}
	})
}

// TestPartsHad: a part is had when the publisher gave all of it, the parts that are asked for are
// listed whether they were ever had or not, and what was fetched later than asked about does not count.
func TestPartsHad(t *testing.T) {
	a := open(t, t.TempDir())
	day := func(n int) time.Time { return noon.AddDate(0, 0, n) }
	for n, objects := range [][]sources.ArchivedObject{
		{{Name: "v/a"}, {Name: "v/b/0"}, {Name: "v/b/1"}, {Name: "v/gone"}},
		{{Name: "v/a"}, {Name: "v/b/0"}, {Name: "v/b/1", Carried: true}},
		{{Name: "v/a", Kept: true}, {Name: "v/b/0", Carried: true}, {Name: "v/b/1", Carried: true}, {Name: "w/c"}},
	} {
		if err := a.AppendExtract(sources.Extract{Source: "s", FetchedAt: day(n), Objects: objects}); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		asked  []string
		partOf func(string) string
		which  func(sources.Extract) bool
		want   []archive.PartDelivery
	}{
		"boards": {[]string{"v/a", "v/b", "v/never"}, archive.PartOfObject, archive.AllExtracts,
			[]archive.PartDelivery{{Name: "v/a", LastDelivered: day(1)}, {Name: "v/b", LastDelivered: day(0)},
				{Name: "v/never"}}},
		"data sets": {nil, archive.FirstSegmentOfObject, archive.AllExtracts,
			[]archive.PartDelivery{{Name: "v", LastDelivered: day(0)},
				{Name: "w", LastDelivered: day(2)}}},
		"before": {nil, archive.FirstSegmentOfObject,
			func(x sources.Extract) bool { return x.FetchedAt.Before(day(1)) },
			[]archive.PartDelivery{{Name: "v", LastDelivered: day(0)}}},
		"nothing": {nil, archive.FirstSegmentOfObject, func(sources.Extract) bool { return false },
			[]archive.PartDelivery{}},
	} {
		got, err := a.PartDeliveryTimes("s", c.asked, c.partOf, c.which)
		if diff := cmp.Diff(c.want, got); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
	}
}

// lister is a source that lists its boards.
type lister struct{ sources.Source }

func (lister) PartNames() []string { return []string{"ashby/acme"} }

// TestPartNamer: the parts of boards have two segments, those of any other source one, wherever they are named.
func TestPartNamer(t *testing.T) {
	var other struct{ sources.Source }
	if got := archive.PartNamer(lister{})("ashby/acme/2"); got != "ashby/acme" {
		t.Errorf("a board is named %q", got)
	}
	if got := archive.PartNamer(other)("id1/data.csv"); got != "id1" {
		t.Errorf("a data set is named %q", got)
	}
}
