package ingest

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/pipeline/report"
	"labour/sources"
	"labour/sources/archive"
	"labour/sources/sourcetest"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// fetched archives an extract of a source, with an object of these bytes for each name.
func fetched(t *testing.T, a *archive.Archive, source string, at time.Time, names ...string) {
	t.Helper()
	x := sources.Extract{Source: source, FetchedAt: at}
	for _, name := range names {
		sha, n, err := a.PutBody(source, strings.NewReader(name+at.String()), 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		x.Objects = append(x.Objects, sources.ArchivedObject{Name: name, SHA256: sha, Bytes: n, FetchedAt: at})
	}
	if err := a.AppendExtract(x); err != nil {
		t.Fatal(err)
	}
}

// damage changes the archived bytes of an object of the extract of a day.
func damage(t *testing.T, a *archive.Archive, source string, at time.Time, name string) {
	t.Helper()
	all, err := a.ExtractsSince(source, at)
	if err != nil {
		t.Fatal(err)
	}
	o, ok := all[0].Object(name)
	if !ok || !all[0].FetchedAt.Equal(at) {
		t.Fatalf("there is no %s of %s in %+v", name, at, all[0])
	}
	if err := os.Chmod(a.BodyPath(o.SHA256), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(a.BodyPath(o.SHA256), []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
}

func day(n int) time.Time { return noon.AddDate(0, 0, n) }

// before reports an extract as known if it was fetched before a moment.
func before(at time.Time) func(sources.Extract) bool {
	return func(x sources.Extract) bool { return x.FetchedAt.Before(at) }
}

func times(list []sources.Extract) (days []int) {
	for _, x := range list {
		days = append(days, int(x.FetchedAt.Sub(noon)/(24*time.Hour)))
	}
	return days
}

// All extracts of a listing are read, from the day asked for and the newest first; of any other
// source only the newest. An extract that did not exist yet is never read.
func TestExtractsToRead(t *testing.T) {
	a := sourcetest.OpenArchive(t)
	for n := range 4 {
		fetched(t, a, "s", day(n), "part")
	}
	for _, c := range []struct {
		name    string
		listing bool
		since   time.Time
		until   time.Time
		want    []int
	}{
		{"a listing", true, day(0), day(9), []int{3, 2, 1, 0}},
		{"a listing since a day", true, day(2), day(9), []int{3, 2}},
		{"a listing on an earlier day", true, day(0), day(2), []int{1, 0}},
		{"a whole source", false, day(0), day(9), []int{3}},
		{"a whole source since a later day", false, day(8), day(9), []int{3}},
		{"a whole source on an earlier day", false, day(0), day(2), []int{1}},
		{"a source before its first fetch", false, day(0), day(0), nil},
	} {
		got, faults, err := ExtractSelector{Archive: a, MayRead: before(c.until)}.Select(
			recorded{info: sources.Info{Key: "s", ListsLiveOnly: c.listing}}, c.since)
		if err != nil || len(faults) > 0 || !slices.Equal(times(got), c.want) {
			t.Errorf("%s: the extracts of days %v are read, not %v; %v, %v", c.name, times(got), c.want, faults, err)
		}
	}
}

// selective is a source that reads only one of its files.
type selective struct {
	recorded
	file string
}

func (s selective) SelectsFile(name string) bool { return name == s.file }

// A damaged file is a fault, and the newest undamaged extract is read instead. Files that the source
// does not read may be damaged.
func TestDamagedExtractsAreNotRead(t *testing.T) {
	for _, c := range []struct {
		source string
		src    sources.Source
		want   []int
		faults int
	}{
		{"s", recorded{info: sources.Info{Key: "s"}}, []int{0}, 1},
		{"s", selective{recorded{info: sources.Info{Key: "s"}}, "residents"}, []int{0}, 1},
		{"s", selective{recorded{info: sources.Info{Key: "s"}}, "adverts"}, []int{1}, 0},
	} {
		a := sourcetest.OpenArchive(t)
		fetched(t, a, c.source, day(0), "adverts", "residents")
		fetched(t, a, c.source, day(1), "adverts", "residents")
		damage(t, a, c.source, day(1), "residents")
		got, faults, err := ExtractSelector{Archive: a, MayRead: archive.AllExtracts}.Select(c.src, day(0))
		if err != nil || !slices.Equal(times(got), c.want) || len(faults) != c.faults {
			t.Errorf("%+v: days %v, faults %v, %v", c.src, times(got), faults, err)
		}
		for _, f := range faults {
			if f.Source != c.source || f.Object != "residents" {
				t.Errorf("the fault is of %s %s", f.Source, f.Object)
			}
		}
	}
}

// boards is a source that has a description and parts only. Fetching or reading it panics.
type boards struct {
	sources.Source
	parts []string
}

func (b boards) Info() sources.Info  { return sources.Info{Key: "s", Cadence: "daily"} }
func (b boards) PartNames() []string { return slices.Clone(b.parts) }

// A part that was carried forward has its age in days. It is stale if twice its cadence has passed at
// the end of the snapshot's day. A part that was never fetched is stale.
func TestCarriedPartsAreReported(t *testing.T) {
	for age, stale := range map[int]bool{1: false, 2: true, 3: true} {
		a := sourcetest.OpenArchive(t)
		fetched(t, a, "s", day(0), "ashby/acme", "ashby/other")
		if err := a.AppendExtract(sources.Extract{Source: "s", FetchedAt: day(age), Objects: []sources.ArchivedObject{
			{Name: "ashby/acme", Carried: true}, {Name: "ashby/other"}}}); err != nil {
			t.Fatal(err)
		}
		src := boards{parts: []string{"ashby/acme", "ashby/other", "ashby/never"}}
		got, err := carriedParts(a, src, archive.AllExtracts, sources.DateOf(day(age)))
		if err != nil {
			t.Fatal(err)
		}
		at := day(0)
		want := []report.CarriedForwardPart{{Part: "ashby/acme", LastDeliveredAt: &at, AgeDays: age, Stale: stale},
			{Part: "ashby/never", Stale: true, NeverFetched: true}}
		same := func(x, y report.CarriedForwardPart) bool {
			return x.Part == y.Part && x.AgeDays == y.AgeDays && x.Stale == y.Stale && x.NeverFetched == y.NeverFetched &&
				(x.LastDeliveredAt == nil) == (y.LastDeliveredAt == nil) && (x.LastDeliveredAt == nil ||
				x.LastDeliveredAt.Equal(*y.LastDeliveredAt))
		}
		if !slices.EqualFunc(got, want, same) {
			t.Errorf("after %d days the report has %+v", age, got)
		}
	}
}

// TestCarriedFilesAreReportedByTheirDataSets: a source without boards has data sets, whose objects have longer
// names.
func TestCarriedFilesAreReportedByTheirDataSets(t *testing.T) {
	a := sourcetest.OpenArchive(t)
	fetched(t, a, "s", day(0), "starts/data/csv")
	if err := a.AppendExtract(sources.Extract{Source: "s", FetchedAt: day(1),
		Objects: []sources.ArchivedObject{{Name: "starts/data/csv", Carried: true}}}); err != nil {
		t.Fatal(err)
	}
	got, err := carriedParts(a, recorded{info: sources.Info{Key: "s"}}, archive.AllExtracts, sources.DateOf(day(1)))
	if err != nil || len(got) != 1 || got[0].Part != "starts" {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestSourcesWithoutPartsMissNone, whatever their extracts hold.
func TestSourcesWithoutPartsMissNone(t *testing.T) {
	a := sourcetest.OpenArchive(t)
	fetched(t, a, "s", day(0), "adverts")
	got, err := carriedParts(a, recorded{info: sources.Info{Key: "s"}}, archive.AllExtracts, sources.DateOf(day(0)))
	if err != nil || len(got) > 0 {
		t.Errorf("%+v, %v", got, err)
	}
}
