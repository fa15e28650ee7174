package verify

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

func dayOf(text string) snapshots.Date {
	d, _ := snapshots.ParseDate(text)
	return d
}

// soundManifest is a manifest without faults of the 20 November 2026, with figures of people to
// September.
func soundManifest() snapshots.Manifest {
	to := dayOf("2026-09-30")
	m := snapshots.Manifest{ID: "2026-11-20.1", AsOf: dayOf("2026-11-20"), PlatformName: "Works",
		CodingErrors: &figure.CodingErrors{RandomError: 1}, PeopleAsOf: &to,
		People: &snapshots.People{From: dayOf("2025-10-01"), To: to, FirstSnapshot: "2026-10-01.1"}}
	for _, h := range snapshots.EmbargoedDatasets() {
		m.Embargoed = append(m.Embargoed, snapshots.EmbargoedState{Name: h.Name})
	}
	return m
}

func subjectOf(m snapshots.Manifest, dir string) *subject {
	return &subject{dir: dir, manifest: m, report: &Report{}, counts: map[[2]string]int{}}
}

// texts returns the check, file and text of each fault.
func (s *subject) texts() (all []string) {
	for _, f := range s.report.Faults {
		all = append(all, fmt.Sprintf("%s %s: %s", f.Check, f.File, f.Text))
	}
	return all
}

// Each thing that a manifest may say wrongly is one fault.
func TestFaultsOfAManifest(t *testing.T) {
	const people = "figures of people from %s to %s are not of the twelve months to the end of a quarter"
	const madeBy = "figures of people were made by %q, which is no snapshot since the end of their period"
	const margin = "has no errors of coding from 0 to 1, which the margins of shares need"
	for _, tt := range []struct {
		name   string
		change func(m *snapshots.Manifest)
		dir    string
		want   string // no text: no fault
	}{
		{"nothing", func(*snapshots.Manifest) {}, "2026-11-20.1", ""},
		{"a directory of another name", func(*snapshots.Manifest) {}, "a copy", ""},
		{"the directory of another snapshot", func(*snapshots.Manifest) {}, "2026-11-20.2",
			"names 2026-11-20.1, the directory is 2026-11-20.2"},
		{"another date", func(m *snapshots.Manifest) { m.AsOf = dayOf("2026-11-21") }, "x",
			"as_of 2026-11-21 is not the date of 2026-11-20.1"},
		{"people to the day", func(m *snapshots.Manifest) {
			to := dayOf("2026-11-20")
			m.PeopleAsOf, m.People = &to, nil
		}, "x", "has only one of people and people_as_of"},
		{"people after the day", func(m *snapshots.Manifest) {
			to := dayOf("2026-12-31")
			m.PeopleAsOf, m.People.From, m.People.To = &to, dayOf("2026-01-01"), to
			m.People.FirstSnapshot = "2027-01-01.1"
		}, "x", "people_as_of 2026-12-31 is after as_of 2026-11-20"},
		{"no people", func(m *snapshots.Manifest) { m.People, m.PeopleAsOf = nil, nil }, "x", ""},
		{"people without their day", func(m *snapshots.Manifest) { m.PeopleAsOf = nil }, "x",
			"has only one of people and people_as_of"},
		{"a period that begins late", func(m *snapshots.Manifest) { m.People.From = dayOf("2025-10-02") }, "x",
			fmt.Sprintf(people, "2025-10-02", "2026-09-30")},
		{"a period to another day", func(m *snapshots.Manifest) { m.People.To = dayOf("2026-09-29") }, "x",
			fmt.Sprintf(people, "2025-10-01", "2026-09-29")},
		{"people as of another quarter", func(m *snapshots.Manifest) {
			to := dayOf("2026-06-30")
			m.PeopleAsOf = &to
		}, "x", fmt.Sprintf(people, "2025-10-01", "2026-09-30")},
		{"made by no snapshot", func(m *snapshots.Manifest) { m.People.FirstSnapshot = "none" }, "x",
			fmt.Sprintf(madeBy, "none")},
		{"made on the last day", func(m *snapshots.Manifest) { m.People.FirstSnapshot = "2026-09-30.1" }, "x",
			fmt.Sprintf(madeBy, "2026-09-30.1")},
		{"no name", func(m *snapshots.Manifest) { m.PlatformName = "" }, "x", "platform_name is empty"},
		{"no margin", func(m *snapshots.Manifest) { m.CodingErrors = nil }, "x", margin},
		{"a margin out of range", func(m *snapshots.Manifest) { m.CodingErrors.RandomError = 1.1 }, "x", margin},
		{"another one before", func(m *snapshots.Manifest) { m.Previous = &snapshots.PreviousSnapshot{ID: "2026-11-19.1"} },
			"x", ""},
		{"itself before", func(m *snapshots.Manifest) { m.Previous = &snapshots.PreviousSnapshot{ID: m.ID} }, "x",
			"names itself as the previous snapshot"},
		{"an open dataset with evidence", func(m *snapshots.Manifest) {
			m.Embargoed[0].Open, m.Embargoed[0].Evidence = true, "https://works.example"
		}, "x", ""},
		{"an open dataset without evidence", func(m *snapshots.Manifest) { m.Embargoed[0].Open = true }, "x",
			"embargoed dataset demand is open without evidence"},
		{"a closed dataset with evidence", func(m *snapshots.Manifest) { m.Embargoed[1].Evidence = "x" }, "x",
			"embargoed dataset trends is not open and has evidence"},
		{"a dataset less", func(m *snapshots.Manifest) { m.Embargoed = m.Embargoed[1:] }, "x",
			"does not list the embargoed dataset demand"},
		{"a dataset more", func(m *snapshots.Manifest) {
			m.Embargoed = append(m.Embargoed, snapshots.EmbargoedState{Name: "wages"})
		}, "x", `embargoed dataset "wages" is unknown`},
	} {
		m := soundManifest()
		tt.change(&m)
		s := subjectOf(m, filepath.Join("/snapshots", tt.dir)+"/")
		err := checkManifest(t.Context(), s)
		var want []string
		if tt.want != "" {
			want = []string{"manifest manifest.json: " + tt.want}
		}
		if got := s.texts(); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v; want %q", tt.name, got, err, want)
		}
	}
}

// A table whose file or entry in the manifest is not that of the format is a fault, and so is a
// table that is not there.
func TestFaultsOfTheSchemas(t *testing.T) {
	data := t.TempDir()
	id := snaptest.BuildSnapshot(t, data, "2026-11-20", snaptest.DefaultContent(t, "2026-11-20"))
	snaptest.MakeRemovable(t, data)
	dir := filepath.Join(snapshots.SnapshotsDir(data), string(id))
	m, _, err := snapshots.ReadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) int {
		return slices.IndexFunc(m.Tables, func(f snapshots.TableFile) bool { return f.Name == name })
	}
	levels := m.Tables[at("levels")]
	const otherwise = "schema manifest.json: describes the table levels differently from its format version"
	for _, tt := range []struct {
		name   string
		change func(m *snapshots.Manifest)
		want   []string
	}{
		{"nothing", func(*snapshots.Manifest) {}, nil},
		{"a table less", func(m *snapshots.Manifest) { m.Tables = slices.Delete(m.Tables, at("levels"), at("levels")+1) },
			[]string{"schema manifest.json: has no table levels"}},
		{"a table more", func(m *snapshots.Manifest) { m.Tables = append(m.Tables, snapshots.TableFile{Name: "wages"}) },
			[]string{`schema manifest.json: table "wages" is unknown`}},
		{"a row more", func(m *snapshots.Manifest) { m.Tables[at("levels")].Rows++ },
			[]string{fmt.Sprintf("schema %s: has %d rows, the manifest says %d", snapshots.TableFileName("levels"),
				levels.Rows, levels.Rows+1)}},
		{"a column less", func(m *snapshots.Manifest) { m.Tables[at("levels")].Columns = levels.Columns[1:] },
			[]string{otherwise}},
		{"another order", func(m *snapshots.Manifest) { m.Tables[at("levels")].SortColumns = []string{"name"} },
			[]string{otherwise}},
		{"an earlier snapshot of the day", func(m *snapshots.Manifest) { m.ID = "2026-11-20.2" }, nil},
		{"a row more of a dataset", func(m *snapshots.Manifest) {
			m.Embargoed = []snapshots.EmbargoedState{{Name: "demand", Rows: new(int64(7))}}
		}, []string{"schema " + snapshots.EmbargoedFileName("demand") + ": has 6 rows, the manifest says 7"}},
	} {
		of := m
		of.Tables = slices.Clone(m.Tables)
		tt.change(&of)
		s := subjectOf(of, dir)
		err := checkSchemas(t.Context(), s)
		if got := s.texts(); err != nil || !slices.EqualFunc(got, tt.want, strings.HasPrefix) {
			t.Errorf("%s: %q, %v; want %q", tt.name, got, err, tt.want)
		}
	}
	checkSnapshotOfTables(t, m, dir)
	// The file of another table in the place of a table.
	path := func(name string) string { return snapshots.TablePath(dir, name) }
	replaced := os.Rename(path("sectors"), path("levels"))
	if err := errors.Join(os.Chmod(filepath.Dir(path("levels")), 0o700), replaced); err != nil {
		t.Fatal(err)
	}
	s := subjectOf(m, dir)
	table, _ := snapshots.FindTable("levels")
	s.checkTable(table, snapshots.TableFileName("levels"), m.Tables[at("sectors")].Rows)
	if got := s.texts(); len(got) != 2 || !strings.Contains(got[0], "has columns [") ||
		!strings.HasSuffix(got[1], "metadata "+snapshots.MetaTable+` is "sectors", not "levels"`) {
		t.Errorf("the file of another table: %q", got)
	}
}

// checkSnapshotOfTables holds which snapshots a table may have been made for: that of the manifest
// or an earlier one of its day, and for people any since the end of their period.
func checkSnapshotOfTables(t *testing.T, m snapshots.Manifest, dir string) {
	t.Helper()
	for _, tt := range []struct {
		table  string
		id     snapshots.ID
		people string // people_as_of
		ok     bool
	}{
		{"levels", "2026-11-20.1", "", true}, {"levels", "2026-11-20.2", "", true}, {"levels", "2026-11-19.1", "", false},
		{"levels", "2026-11-21.1", "2026-11-20", false}, {"people", "2026-11-21.1", "2026-11-20", true},
		{"people", "2026-11-21.1", "2026-11-21", false}, {"people", "2026-11-21.1", "", false},
		{"people", "2026-11-19.1", "2026-11-18", true}, {"people", "2026-11-20.0", "2026-11-20", true},
	} {
		s := subjectOf(m, dir)
		s.manifest.ID, s.manifest.PeopleAsOf = tt.id, nil
		if tt.people != "" {
			to := dayOf(tt.people)
			s.manifest.PeopleAsOf = &to
		}
		table, _ := snapshots.FindTable(tt.table)
		entry, _ := m.Table(tt.table)
		s.checkTable(table, snapshots.TableFileName(tt.table), entry.Rows)
		named := "metadata " + snapshots.MetaSnapshot + " is "
		if got := s.texts(); (len(got) == 0) != tt.ok || !tt.ok && !strings.Contains(got[0], named) {
			t.Errorf("%s of %s in %s, people to %q: %q", tt.table, m.ID, tt.id, tt.people, got)
		}
	}
}

// The file of changes is there, can be read and compares with the snapshot before.
func TestFaultsOfTheFileOfChanges(t *testing.T) {
	data := t.TempDir()
	id := snaptest.BuildSnapshot(t, data, "2026-11-20", snaptest.Content{PlatformName: "Works"})
	snaptest.MakeRemovable(t, data)
	folder, err := store.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	m, err := folder.Manifest(id)
	if err != nil {
		t.Fatal(err)
	}
	found := func(change func(m *snapshots.Manifest)) []string {
		of := m
		change(&of)
		s := subjectOf(of, folder.SnapshotDir(id))
		if err := checkChanges(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		return s.texts()
	}
	if got := found(func(*snapshots.Manifest) {}); len(got) != 0 {
		t.Errorf("a sound file: %q", got)
	}
	const before = `changes changes.parquet: compares with "", the manifest names "2026-11-19.1" as the previous ` +
		"snapshot"
	for name, previous := range map[string]snapshots.PreviousSnapshot{"another one": {ID: "2026-11-19.1"},
		"another manifest": {ID: "2026-11-19.1", ManifestSHA256: "5e"}} {
		if got := found(func(m *snapshots.Manifest) { m.Previous = &previous }); !slices.Equal(got, []string{before}) {
			t.Errorf("%s before: %q", name, got)
		}
	}
	if got := found(func(m *snapshots.Manifest) { m.Files = nil }); len(got) != 1 || !strings.HasSuffix(got[0],
		"is missing: nobody could see what changed since the previous snapshot") {
		t.Errorf("without the file: %q", got)
	}
	file := filepath.Join(folder.SnapshotDir(id), snapshots.ChangesFileName)
	err = errors.Join(os.Chmod(folder.SnapshotDir(id), 0o700), os.Remove(file), os.WriteFile(file, []byte("PAR1"), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	if got := found(func(*snapshots.Manifest) {}); len(got) != 1 || !strings.HasSuffix(got[0],
		"cannot be read, or has other columns than its format version") {
		t.Errorf("a damaged file: %q", got)
	}
}
