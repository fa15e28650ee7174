package verify_test

import (
	"database/sql"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"labour/pipeline/cells/engine"
	"labour/pipeline/cells/engine/duckdb"
	"labour/pipeline/verify"
	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

// faultsOf builds the content with one change made to it and gives what is found.
func faultsOf(t *testing.T, change func(*snaptest.Content)) verify.Report {
	t.Helper()
	root, c := t.TempDir(), snaptest.DefaultContent(t, day)
	change(&c)
	return report(t, dirOf(t, root, snaptest.BuildSnapshot(t, root, day, c)))
}

// planted is one contradiction and the words that report it.
type planted struct {
	plant              func(*snaptest.Content)
	check, file, words string
}

// contradictions are each in a row of its own.
func contradictions() map[string]planted {
	return map[string]planted{
		"another change": {func(c *snaptest.Content) { *c.CourseDemand[0].ChangePct++ },
			"recomputed", "tables/course_demand.parquet", "the printed values give 0.7"},
		"a missing change": {func(c *snaptest.Content) { c.CourseDemand[2].ChangePct = nil },
			"recomputed", "tables/course_demand.parquet", "change_pct is null; the printed values give 1.3"},
		"a change on nothing": {func(c *snaptest.Content) { c.CourseDemand[6].ChangePct = new(figure.Tenths) },
			"recomputed", "tables/course_demand.parquet", "there is nothing to compute it from"},
		"another earlier value": {func(c *snaptest.Content) {
			*c.CourseDemand[1].Value++ // 337,141 on 349,190 is still -3.5 %
		}, "recomputed", "tables/course_demand.parquet", "the row of that period prints 337141"},
		"a change of a trend": {func(c *snaptest.Content) { c.Embargoed.Trends[0].ChangePct = 999 },
			"recomputed", "embargoed/trends.parquet", "change_pct is 99.9; the printed values give 100.0"},
		"sources counted twice": {func(c *snaptest.Content) { c.SkillsGaps[1].SourcesAgreeing = 2 },
			"recomputed", "tables/skills_gaps.parquet", "pointing_sources names 1"},
		"a mean outside": {func(c *snaptest.Content) { c.Embargoed.Outlook[0].HighChangePct = 14 },
			"recomputed", "embargoed/outlook.parquet", "is not between"},
		"a signal of the fewer": {func(c *snaptest.Content) { c.Embargoed.Outlook[0].Signal = "no_gap" },
			"recomputed", "embargoed/outlook.parquet", "1 sources point to a gap, 0 to none"},
		"more by council than there are": {func(c *snaptest.Content) { c.Embargoed.Reach[0].VacanciesPlacedByCouncil = 51 },
			"recomputed", "embargoed/reach.parquet", "is 51 of 50"},
		"fewer in a longer distance": {func(c *snaptest.Content) { c.Embargoed.Reach[1].Vacancies = 49 },
			"recomputed", "embargoed/reach.parquet", "within a shorter distance there are 50"},
		"more that ask than there are": {func(c *snaptest.Content) { c.Adverts[0].Adverts = 10_000 },
			"cells", "tables/adverts.parquet", "10000 adverts ask for the skill"},
		"an empty cell": {func(c *snaptest.Content) { c.Adverts[1].Adverts = 0 },
			"cells", "tables/adverts.parquet", "adverts is 0"},
		"another statement": {func(c *snaptest.Content) {
			c.Sources[2].AttributionStatement = "Contains public sector information licensed under the Open Government Licence."
		}, "attribution", "tables/sources.parquet", `under the Open Government Licence.", not word for word`},
		"the statement of another platform": {func(c *snaptest.Content) {
			c.Sources[0].AttributionStatement = "Source: Other Works."
		}, "attribution", "tables/sources.parquet", `not word for word "Source: London Works."`},
		"the statement of another year": {func(c *snaptest.Content) {
			c.Sources[6].AttributionStatement = strings.Replace(c.Sources[6].AttributionStatement, "2026", "2025", 1)
		}, "attribution", "tables/sources.parquet", "database right 2026"},
		"a placeholder": {func(c *snaptest.Content) { c.Sources[1].AttributionStatement = "Source: <platform_name>." },
			"attribution", "tables/sources.parquet", "has a placeholder"},
	}
}

// Each contradiction is found, under its check, at once with all the others, and
// nothing else is.
func TestWhatIsDerivedIsDerivedAgain(t *testing.T) {
	all := contradictions()
	r := faultsOf(t, func(c *snaptest.Content) {
		for _, p := range all {
			p.plant(c)
		}
	})
	for name, p := range all {
		told := 0
		for _, f := range r.Faults {
			if f.Check == p.check && f.File == p.file && f.Row >= 0 && strings.Contains(f.Text, p.words) {
				told++
			}
		}
		if told != 1 {
			t.Errorf("%s is told %d times, in %v", name, told, r.Err())
		}
	}
	if len(r.Faults) != len(all) {
		t.Errorf("%d faults, want the %d planted: %v", len(r.Faults), len(all), r.Err())
	}
}

// A source whose adverts are not counted is in no cell: every row of it is a fault.
func TestExcludedSourcesAreInNoCell(t *testing.T) {
	want := int64(0)
	r := faultsOf(t, func(c *snaptest.Content) {
		c.Sources[1].AdvertsCounted = false // employer_boards
		for _, row := range c.Adverts {
			if row.Source == "employer_boards" {
				want++
			}
		}
		for _, row := range c.AdvertsTotal {
			if row.Source == "employer_boards" {
				want++
			}
		}
	})
	found := int64(0)
	for _, f := range r.Faults {
		if f.Check != "sources" ||
			!strings.Contains(f.Text, `"employer_boards" is a source whose adverts are not counted`) {
			t.Errorf("found %s", f)
		}
		found++
	}
	if want == 0 || found != want {
		t.Errorf("%d rows of the excluded source, %d faults", want, found)
	}
}

// A place cannot have more adverts than the country, and a month begins on its first day.
func TestCellsFitIntoTheCountry(t *testing.T) {
	r := faultsOf(t, func(c *snaptest.Content) {
		for i, row := range c.AdvertsTotal {
			if row.AreaKind == snapshots.AreaKindBorough {
				c.AdvertsTotal[i].Adverts += 10_000
				return
			}
		}
	})
	if len(r.Faults) != 1 || r.Faults[0].File != "tables/adverts_total.parquet" || !strings.Contains(r.Faults[0].Text,
		"the whole country has") {
		t.Errorf("found %v", r.Err())
	}
	r = faultsOf(t, func(c *snaptest.Content) {
		c.AdvertsTotal, c.Adverts = c.AdvertsTotal[:1], nil
		c.AdvertsTotal[0].AreaKind, c.AdvertsTotal[0].Place = snapshots.AreaKindAll, ""
		c.AdvertsTotal[0].Month = c.AdvertsTotal[0].Month.AddDate(0, 0, 3)
	})
	if len(r.Faults) != 1 || !strings.Contains(r.Faults[0].Text, "not the first day") {
		t.Errorf("found %v", r.Err())
	}
}

// An area of adverts is of a known kind, the whole country is no place, and what a cell names is in
// the lists of names.
func TestAreasOfCells(t *testing.T) {
	r := faultsOf(t, func(c *snaptest.Content) {
		moon, placed, unheard := c.AdvertsTotal[0], c.AdvertsTotal[0], c.AdvertsTotal[0]
		moon.AreaKind, moon.Place = "moon", "camden"
		placed.AreaKind, placed.Place = snapshots.AreaKindAll, "camden"
		unheard.AreaKind, unheard.Place, unheard.Sector = snapshots.AreaKindAll, "", "unheard-of"
		c.AdvertsTotal = append(c.AdvertsTotal, moon, placed, unheard)
	})
	const file = "tables/adverts_total.parquet"
	told := func(check, words string) bool {
		return slices.ContainsFunc(r.Faults, func(f verify.Fault) bool {
			return f.Check == check && f.File == file && strings.Contains(f.Text, words)
		})
	}
	if !told("cells", `"moon" is unknown`) || !told("cells", "all has a place") ||
		!told("cells", `sector "unheard-of"`) {
		t.Error(r.Err())
	}
}

// The change is the exact fraction rounded half away from zero: what a printed row
// with any two values must say, and one tenth more or less is a fault. A change that the
// column has no room for is null.
func TestChangeIsTheExactFraction(t *testing.T) {
	db, err := duckdb.Open(t.Context(), engine.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	setup, err := os.ReadFile(filepath.Join("sql", "setup.sql"))
	if err != nil {
		t.Fatal(err)
	}
	answer := func(query string) (text sql.NullString) {
		rows, err := db.Query(t.Context(), query)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		if !rows.Next() || rows.Scan(&text) != nil {
			t.Fatal(query, rows.Err())
		}
		return text
	}
	answer(string(setup) + "; SELECT NULL")
	rapid.Check(t, func(rt *rapid.T) {
		value := rapid.Int64Range(0, 5_000_000).Draw(rt, "value")
		previous := rapid.Int64Range(1, 5_000_000).Draw(rt, "previous")
		exact := new(big.Rat).Mul(big.NewRat(value-previous, previous), big.NewRat(1000, 1))
		tenths, err := strconv.ParseInt(exact.FloatString(0), 10, 64) // half away from zero
		if err != nil {
			rt.Fatal(err)
		}
		want := string(figure.AppendTenths(nil, figure.Tenths(tenths)))
		got := answer(fmt.Sprintf("SELECT change_of(%d, %d)::VARCHAR", value, previous))
		if fits := tenths <= int64(figure.MaxTenths); fits != got.Valid || fits && got.String != want {
			rt.Errorf("%d on %d is %v, want %s", value, previous, got, want)
		}
	})
}

// In a store, a manifest that is not the one that was sealed, and a snapshot before
// that is not the one that it names, are faults; the same directory alone is sound.
func TestChainOfTheStoreIsLookedAt(t *testing.T) {
	root := t.TempDir()
	first := snaptest.BuildSnapshot(t, root, day, snaptest.DefaultContent(t, day))
	second := snaptest.BuildSnapshot(t, root, "2026-11-21", snaptest.DefaultContent(t, "2026-11-21"))
	store, err := store.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	chained := func() verify.Report {
		r, err := verify.VerifyDir(t.Context(), store.SnapshotDir(second), verify.Options{Store: store})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := chained(); !r.HasNoFaults() {
		t.Fatal(r.Err())
	}
	path := filepath.Join(store.SnapshotDir(first), snapshots.ManifestFileName)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(b), "snaptest", "snaptesT", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	if r := chained(); len(r.Faults) != 1 || !has(r, "chain", snapshots.ManifestFileName, verify.WholeFile,
		"follows "+string(first)) {
		t.Errorf("the changed snapshot before is not found: %v", r.Err())
	}
	if r := report(t, store.SnapshotDir(second)); !r.HasNoFaults() {
		t.Errorf("the directory alone: %v", r.Err())
	}
	index := filepath.Join(store.RootDir(), snapshots.IndexFileName)
	if b, err = os.ReadFile(index); err != nil {
		t.Fatal(err)
	}
	x, err := store.Index()
	if err != nil {
		t.Fatal(err)
	}
	e, _ := x.FindEntry(second)
	other := strings.Repeat("0", len(e.ManifestSHA256))
	if err := os.WriteFile(index, []byte(strings.ReplaceAll(string(b), e.ManifestSHA256, other)), 0o644); err != nil {
		t.Fatal(err)
	}
	if r := chained(); !has(r, "chain", snapshots.ManifestFileName, verify.WholeFile, "not the one that was sealed") {
		t.Errorf("the other sum of the index is not found: %v", r.Err())
	}
}
