package lists

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"labour/pipeline/config"
	"labour/pipeline/internal/writertest"
	"labour/pipeline/servedplaces"
	"labour/snapshots"
	"labour/sources"
	"labour/sources/archive"
	"labour/sources/platform"
	"labour/sources/sourcetest"
)

// parted is a source with parts; whole is one without.
type parted struct {
	sources.Source
	key   string
	parts []string
}

func (p parted) Info() sources.Info  { return sources.Info{Key: p.key} }
func (p parted) PartNames() []string { return p.parts }

type whole struct {
	sources.Source
	key string
}

func (w whole) Info() sources.Info { return sources.Info{Key: w.key} }

// A source has a row for each configured part or, without parts, for each of its newest extract. A
// source that was never received has one row. An imported source has the time of the feed.
func TestFreshnessOfEverySource(t *testing.T) {
	a := sourcetest.OpenArchive(t)
	at := func(days int) time.Time { return noon.AddDate(0, 0, days) }
	fetched := func(source string, days int, names ...string) {
		x := sources.Extract{Source: source, FetchedAt: at(days)}
		for _, n := range names {
			x.Objects = append(x.Objects, sources.ArchivedObject{Name: n})
		}
		if err := a.AppendExtract(x); err != nil {
			t.Fatal(err)
		}
	}
	fetched("boards", -3, "ashby/acme/page-1", "ashby/other/page-1")
	fetched("boards", -2, "ashby/acme/page-1")
	fetched("boards", 1, "ashby/never/page-1") // after the day of the run
	fetched("names", -1, "2025/list", "2024/list")
	fetched("left", -4, "file")
	fetched(platform.Key, -6, "adverts.ndjson", "residents.ndjson")
	w := writertest.Open(t, asOf.Time())
	for _, key := range []string{"boards", "names", "never", "imported", "left"} {
		w.Sources = append(w.Sources, snapshots.SourcesRow{Key: key})
	}
	known := func(x sources.Extract) bool { return !x.FetchedAt.After(noon) }
	err := WriteFreshness(w, FreshnessInputs{Archive: a, MayRead: known,
		Sources: []sources.Source{parted{key: "boards", parts: []string{"ashby/acme", "ashby/other", "ashby/never"}},
			whole{key: "names"}, whole{key: "never"}},
		ImportedSources: []sources.Info{{Key: "imported"}}})
	if err != nil {
		t.Fatal(err)
	}
	want := []snapshots.FreshnessRow{{SourceKey: "boards", Part: "ashby/acme", LastSuccessAt: new(at(-2))},
		{SourceKey: "boards", Part: "ashby/never"}, {SourceKey: "boards", Part: "ashby/other", LastSuccessAt: new(at(-3))},
		{SourceKey: "imported", LastSuccessAt: new(at(-6))}, {SourceKey: "left", Part: "file", LastSuccessAt: new(at(-4))},
		{SourceKey: "names", Part: "2024", LastSuccessAt: new(at(-1))},
		{SourceKey: "names", Part: "2025", LastSuccessAt: new(at(-1))}, {SourceKey: "never"}}
	if got := writertest.Rows[snapshots.FreshnessRow](t, w, "freshness"); !reflect.DeepEqual(got, want) {
		t.Errorf("the rows are %+v, want %+v", got, want)
	}
	none := FreshnessInputs{Archive: a, MayRead: archive.AllExtracts, ImportedSources: []sources.Info{{Key: "imported"}}}
	if rows, err := none.freshnessOf("imported"); err != nil || len(rows) != 1 || rows[0].LastSuccessAt == nil {
		t.Errorf("an imported source has %+v, %v; want one row with a time", rows, err)
	}
}

// A journal of extracts that cannot be read is an error of each source, and of the table.
func TestFreshnessOfADamagedArchive(t *testing.T) {
	dir := t.TempDir()
	a, err := archive.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"boards", "names", platform.Key} {
		journal := filepath.Join(dir, "extracts", key+".ndjson")
		if err := os.WriteFile(journal, []byte("{]\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	in := FreshnessInputs{Archive: a, MayRead: archive.AllExtracts, Sources: []sources.Source{whole{key: "names"}},
		ImportedSources: []sources.Info{{Key: "imported"}}}
	for _, key := range []string{"boards", "names", "imported"} {
		if _, err := in.freshnessOf(key); !errors.Is(err, sources.ErrDamaged) {
			t.Errorf("%s: %v", key, err)
		}
	}
	w := writertest.Open(t, asOf.Time())
	w.Sources = []snapshots.SourcesRow{{Key: "names"}}
	if err := WriteFreshness(w, in); !errors.Is(err, sources.ErrDamaged) {
		t.Errorf("the table: %v", err)
	}
}

// Every field of a source's row is that of its description. The statement names the platform and
// the year.
func TestFieldsOfASource(t *testing.T) {
	info := sources.Info{Key: "k", Publisher: "p", Title: "t", Kind: sources.KindNews, Licence: "l", Link: "u",
		Statement: "By <platform_name> in <year of as_of>.", Cadence: "weekly", HasAdverts: true,
		Terms: sources.Terms{MayCount: true}}
	want := snapshots.SourcesRow{Key: "k", Publisher: "p", Title: "t", Kind: "news", Licence: "l", Link: "u",
		AttributionStatement: "By Camden Jobs in 2026.", Cadence: "weekly", AdvertsCounted: true, Rows: 4}
	rows := SourceRows([]sources.Info{info}, nil, map[string]int64{"k": 4}, platform.Config{Name: "Camden Jobs"}, asOf)
	if len(rows) != 2 || rows[0] != want {
		t.Errorf("the row is %+v, want %+v and the platform", rows, want)
	}
	if rows = SourceRows([]sources.Info{info}, []sources.Info{info}, map[string]int64{"k": 4},
		platform.Config{}, asOf); len(rows) != 2 || rows[0].Rows != 4 {
		t.Errorf("a source that is configured and imported has one row: %+v", rows)
	}
}

// A pathway has its steps and each of its standards once.
func TestPathwaysAreWritten(t *testing.T) {
	w := writertest.Open(t, asOf.Time())
	standard := sources.ApprenticeshipStandard{Code: "ST1", Title: "Carer", Level: 3}
	if err := WritePathways(w, []sources.Pathway{{ID: "1", Slug: "care", Title: "Care", Summary: "About care",
		Sector: "care", Updated: asOf.AddDays(-2), Standards: []sources.ApprenticeshipStandard{standard, standard},
		Steps: []sources.PathwayStep{{Order: 1, Title: "Start", Description: "Begin", SOC: "6135", Level: 1}}}}); err != nil {
		t.Fatal(err)
	}
	p := writertest.Rows[snapshots.PathwaysRow](t, w, "pathways")
	if want := (snapshots.PathwaysRow{ID: "1", Slug: "care", Title: "Care", Summary: "About care", Sector: "care",
		UpdatedOn: asOf.AddDays(-2).Time()}); len(p) != 1 || p[0] != want {
		t.Errorf("the pathway is %+v, want %+v", p, want)
	}
	s := writertest.Rows[snapshots.PathwayStandardsRow](t, w, "pathway_standards")
	if want := (snapshots.PathwayStandardsRow{Pathway: "1", Code: "ST1", Title: "Carer", Level: 3}); len(s) != 1 ||
		s[0] != want {
		t.Errorf("the standards are %+v, want %+v once", s, want)
	}
	steps := writertest.Rows[snapshots.PathwayStepsRow](t, w, "pathway_steps")
	if len(steps) != 1 || steps[0].Description != "Begin" || *steps[0].SOC != "6135" || *steps[0].Level != 1 {
		t.Errorf("the steps are %+v", steps)
	}
}

// A feed without the file of developments gives no row; one without developments gives a row of
// zeros for each place.
func TestDevelopmentsAreWrittenIfDelivered(t *testing.T) {
	served := servedplaces.NewPlaces([]sources.Borough{{Slug: "camden", Code: "E09000007"}}, nil, []config.ServedArea{})
	for delivered, want := range map[bool]int{true: 2, false: 0} {
		w := writertest.Open(t, asOf.Time())
		if err := WriteS106(w, served, nil, delivered); err != nil {
			t.Fatal(err)
		}
		if rows := writertest.Rows[snapshots.S106Row](t, w, "s106"); len(rows) != want {
			t.Errorf("delivered %v: %+v, want %d rows", delivered, rows, want)
		}
	}
}
