package people

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/pipeline/config"
	"labour/pipeline/disclosure"
	"labour/pipeline/internal/writertest"
	"labour/pipeline/previous"
	"labour/pipeline/servedplaces"
	"labour/pipeline/tablewriter"
	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/snapshots/snaptest"
	"labour/sources"
)

const today = "2026-11-20"

// bare is a snapshot of the day with tables of these rows only. It is in no store.
func bare(t *testing.T, c snaptest.Content) *previous.Snapshot {
	t.Helper()
	dir := t.TempDir()
	s := &previous.Snapshot{Manifest: snapshots.Manifest{ID: "2026-11-20.1", PeopleWithdrawn: c.PeopleWithdrawn,
		People: &snapshots.People{To: snapshots.DateOf(yearTo(9, 30).To.Time())}}, Dir: dir}
	addTable(t, s, "places", c.Places)
	addTable(t, s, "place_members", c.PlaceMembers)
	addTable(t, s, "people", c.People)
	addTable(t, s, "residents", c.Residents)
	addTable(t, s, "candidates", c.Candidates)
	addTable(t, s, "s106_people", c.S106People)
	return s
}

func addTable[Row any](t *testing.T, s *previous.Snapshot, name string, rows []Row) {
	t.Helper()
	if len(rows) == 0 && name != "place_members" {
		return
	}
	table, _ := snapshots.FindTable(name)
	file := s.TablePath(name)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	err := parquetio.WriteTable(file, table, snapshots.TableMetadata(table, s.ID, nil), yearTo(9, 30).To.Time(),
		snapshots.SortedRows(table, rows))
	if err != nil {
		t.Fatal(err)
	}
	s.Tables = append(s.Tables, snapshots.TableFile{Name: name, Rows: int64(len(rows))})
}

func placesOf(t *testing.T, s *previous.Snapshot) servedplaces.Places {
	t.Helper()
	served, err := s.Places()
	if err != nil {
		t.Fatal(err)
	}
	return served
}

// Figures of a quarter are carried from the first snapshot listed that has the same places and
// withdrawals, else from the one with the most rows of people. A snapshot of another quarter or
// without people is never used.
func TestSnapshotToCarryFrom(t *testing.T) {
	rows := snaptest.DefaultContent(t, today)
	whole := snaptest.Content{Places: rows.Places, PlaceMembers: rows.PlaceMembers, People: rows.People[:9]}
	fewer := snaptest.Content{Places: rows.Places[1:], People: rows.People[:3]}
	withdrawn := whole
	withdrawn.PeopleWithdrawn = []snapshots.PeopleWithdrawal{{Skill: "python"}}
	list := []*previous.Snapshot{bare(t, whole), bare(t, fewer), bare(t, withdrawn)}
	without := *list[0]
	without.People = nil
	june := *list[0]
	june.People = &snapshots.People{To: snapshots.DateOf(yearTo(6, 30).To.Time())}
	again := *list[0]
	served, smaller := placesOf(t, list[0]), placesOf(t, list[1])
	quarter := yearTo(9, 30)
	for _, c := range []struct {
		name      string
		published []*previous.Snapshot
		served    servedplaces.Places
		withdrawn []snapshots.PeopleWithdrawal
		want      *previous.Snapshot
	}{
		{"none", nil, served, nil, nil},
		{"of another quarter or none", []*previous.Snapshot{&without, &june}, served, nil, nil},
		{"the same places", []*previous.Snapshot{list[1], list[0]}, served, nil, list[0]},
		{"the same places of fewer rows", []*previous.Snapshot{list[0], list[1]}, smaller, nil, list[1]},
		{"the newest of the same places", []*previous.Snapshot{list[0], &again}, served, nil, list[0]},
		{"the same withdrawals", []*previous.Snapshot{list[0], list[2]}, served, withdrawn.PeopleWithdrawn, list[2]},
		{"the most rows first", []*previous.Snapshot{list[0], list[1]}, servedplaces.Places{}, nil, list[0]},
		{"the most rows last", []*previous.Snapshot{list[1], list[0]}, servedplaces.Places{}, nil, list[0]},
		{"the newest of as many rows", []*previous.Snapshot{list[2], list[0]}, servedplaces.Places{}, nil, list[2]},
	} {
		got, err := SnapshotToCopy(WithPeriod(c.published, quarter), c.served, c.withdrawn)
		if err != nil || got != c.want {
			t.Errorf("%s: carried from %+v, %v; want %+v", c.name, got, err, c.want)
		}
	}
	if n, want := rowsOfPeople(snapshots.Manifest{Tables: []snapshots.TableFile{{Name: "people", Rows: 7},
		{Name: "residents", Rows: 5}, {Name: "candidates", Rows: 3}, {Name: "s106_people", Rows: 1},
		{Name: "adverts", Rows: 100}}}), int64(16); n != want {
		t.Errorf("%d rows of people, want %d", n, want)
	}
	if err := os.Remove(list[0].TablePath("places")); err != nil {
		t.Fatal(err)
	}
	if _, err := SnapshotToCopy(list, served, nil); err == nil {
		t.Error("places that cannot be read are no error")
	}
	if _, err := ChangedPlaces(list[0], served); err == nil {
		t.Error("changed places of a snapshot that cannot be read are no error")
	}
}

// Copied figures have a remark on the setting that was changed and one on the places that are not
// shown. Without figures there is none.
func TestRemarksOnCopiedFigures(t *testing.T) {
	from := bare(t, snaptest.DefaultContent(t, today))
	from.People.Protection = string(disclosure.ProtectionRounded)
	texts, err := RemarksOnCopied(t.TempDir(), from, servedplaces.Places{}, disclosure.ProtectionUnrounded, nil)
	if err != nil || len(texts) != 2 || !strings.HasPrefix(texts[0], "people.protection is now plain") ||
		!strings.HasPrefix(texts[1], "figures of people are not shown for camden") {
		t.Errorf("the remarks are %q, %v", texts, err)
	}
	texts, err = RemarksOnCopied(t.TempDir(), from, placesOf(t, from), disclosure.ProtectionRounded, nil)
	if err != nil || strings.Join(texts, "") != "" {
		t.Errorf("without a change: %q, %v", texts, err)
	}
	from.People = nil
	texts, err = RemarksOnCopied(t.TempDir(), from, servedplaces.Places{}, disclosure.ProtectionUnrounded, nil)
	if err != nil || texts != nil {
		t.Errorf("without figures: %q, %v", texts, err)
	}
}

// writerOf writes a snapshot of the day to a new store.
func writerOf(t *testing.T) *tablewriter.Writer {
	t.Helper()
	return writertest.Open(t, time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC))
}

// A carried table is written again if a row of it is hidden, without the hidden rows. Otherwise
// nothing is written.
func TestCarriedTablesLoseHiddenRows(t *testing.T) {
	from := bare(t, snaptest.DefaultContent(t, today))
	skill := HiddenCounts{Withdrawn: []snapshots.PeopleWithdrawal{{Skill: "python"}}}
	place := HiddenCounts{Places: map[string]bool{"camden": true}}
	other := HiddenCounts{Withdrawn: []snapshots.PeopleWithdrawal{{Skill: "no-such"}},
		Places: map[string]bool{"no": true}}
	for _, c := range []struct {
		name    string
		hidden  HiddenCounts
		written []string
	}{
		{"nothing", HiddenCounts{}, nil},
		{"a skill and a place that have no rows", other, nil},
		{"a skill", skill, []string{"people", "residents"}},
		{"a place", place, []string{"people", "residents", "candidates", "s106_people"}},
	} {
		w := writerOf(t)
		var written []string
		for _, table := range []string{"people", "residents", "candidates", "s106_people", "jobs"} {
			ok, tally, err := RewriteWithoutHidden(w, from, table, c.hidden)
			if err != nil {
				t.Fatal(err)
			}
			if ok {
				written = append(written, table)
			}
			if counted := tally != (disclosure.ValueTally{}); counted != (table == "people" && c.name == "a skill") {
				t.Errorf("%s hidden: of %s the tally is %+v", c.name, table, tally)
			}
		}
		if !slices.Equal(written, c.written) {
			t.Errorf("%s hidden: written are %q, want %q", c.name, written, c.written)
		}
		for _, table := range written {
			if before, _ := from.Table(table); w.Files()[slices.Index(written, table)].Rows >= before.Rows {
				t.Errorf("%s hidden: %s has all of its %d rows", c.name, table, before.Rows)
			}
		}
		if len(written) > 0 {
			for _, r := range writertest.Rows[snapshots.ResidentsRow](t, w, "residents") {
				if c.hidden.residents(&r) {
					t.Errorf("%s hidden: %+v is written", c.name, r)
				}
			}
		}
	}
	if err := os.Remove(from.TablePath("people")); err != nil {
		t.Fatal(err)
	}
	if _, _, err := RewriteWithoutHidden(writerOf(t), from, "people", skill); err == nil {
		t.Error("a table that cannot be read is no error")
	}
}

// A feed without people gives four tables without rows.
func TestTablesOfNoPeople(t *testing.T) {
	w := writerOf(t)
	if err := WriteEmptyTables(w); err != nil {
		t.Fatal(err)
	}
	var written []string
	for _, f := range w.Files() {
		if written = append(written, f.Name); f.Rows != 0 {
			t.Errorf("%s has %d rows, want none", f.Name, f.Rows)
		}
	}
	if want := []string{"people", "residents", "candidates", "s106_people"}; !slices.Equal(written, want) {
		t.Errorf("written are %q, want %q", written, want)
	}
	if rows := writertest.Rows[snapshots.PeopleRow](t, w, "people"); len(rows) != 0 {
		t.Errorf("people has %+v", rows)
	}
}

// A withdrawal that has ended still applies to the quarter's published figures. Each withdrawal is
// listed once, in the order in which the current snapshot has them.
func TestWithdrawnFromQuarter(t *testing.T) {
	sql, python, all := snapshots.PeopleWithdrawal{Skill: "sql"}, snapshots.PeopleWithdrawal{Skill: "python"},
		snapshots.PeopleWithdrawal{}
	published := func(w ...snapshots.PeopleWithdrawal) *previous.Snapshot {
		return &previous.Snapshot{Manifest: snapshots.Manifest{PeopleWithdrawn: w}}
	}
	for _, c := range []struct {
		published      []*previous.Snapshot
		recorded, want []snapshots.PeopleWithdrawal
	}{
		{nil, nil, nil},
		{nil, []snapshots.PeopleWithdrawal{python}, []snapshots.PeopleWithdrawal{python}},
		{[]*previous.Snapshot{published()}, []snapshots.PeopleWithdrawal{all}, []snapshots.PeopleWithdrawal{all}},
		{[]*previous.Snapshot{published(sql, python), published(sql), published()},
			[]snapshots.PeopleWithdrawal{python, all}, []snapshots.PeopleWithdrawal{sql, python, all}},
		{[]*previous.Snapshot{published(), published(sql)}, nil, []snapshots.PeopleWithdrawal{sql}},
	} {
		if got := WithdrawnFromQuarter(c.published, c.recorded); !slices.Equal(got, c.want) {
			t.Errorf("%v recorded: %v are withdrawn, want %v", c.recorded, got, c.want)
		}
	}
}

// Withdrawn figures of a new quarter are not written, and the tally does not count them.
func TestWithdrawnFiguresAreNotWritten(t *testing.T) {
	for skill, want := range map[string]int{"": 0, "python": 6, "care": 0} {
		file := t.TempDir() + "/people.parquet"
		hidden := HiddenCounts{Withdrawn: []snapshots.PeopleWithdrawal{{Skill: skill}}}
		made, err := writeUnsorted(t.Context(), world(t), file, hidden)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := parquetio.ReadAll[snapshots.PeopleRow](file)
		if err != nil || len(rows) != want || made.PeopleTally.Numbers != int64(want) || made.PeopleTally.UnderFive != 0 {
			t.Errorf("withdrawn %q: %d rows and the tally %+v, %v; want %d", skill, len(rows), made.PeopleTally, err, want)
		}
	}
	if _, err := writeUnsorted(t.Context(), world(t), t.TempDir(), HiddenCounts{}); err == nil {
		t.Error("a folder in the place of the file is no error")
	}
}

// Boroughs and areas keep the order of the places, and each area has its boroughs.
func TestPlacesOfTheRules(t *testing.T) {
	boroughs := []sources.Borough{{Slug: "a", Code: "E1"}, {Slug: "c", Code: "E3"}, {Slug: "e", Code: "E5"}}
	p := DisclosurePlaces(servedplaces.NewPlaces(boroughs, nil, []config.ServedArea{
		{Slug: "b", Boroughs: []string{"a", "e"}}, {Slug: "d", Boroughs: []string{"c"}}}))
	var slugs []string
	for i := range p.Count() {
		slugs = append(slugs, p.Slug(i))
	}
	if want := []string{"", "a", "c", "e", "b", "d"}; !slices.Equal(slugs, want) || p.BoroughCount() != 3 {
		t.Errorf("the places are %q with %d boroughs, want %q with 3", slugs, p.BoroughCount(), want)
	}
	for borough, want := range map[string][]string{"a": {"", "a", "b"}, "c": {"", "c", "d"}, "e": {"", "e", "b"}} {
		var got []string
		for _, i := range p.PlacesContaining(p.BoroughNumber(borough)) {
			got = append(got, p.Slug(int(i)))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s counts in %q, want %q", borough, got, want)
		}
	}
}
