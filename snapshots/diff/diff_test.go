package diff_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"labour/snapshots"
	"labour/snapshots/diff"
	"labour/snapshots/figure"
	"labour/snapshots/parquetio"
)

func date(text string) snapshots.Date {
	d, err := snapshots.ParseDate(text)
	if err != nil {
		panic(err)
	}
	return d
}

// side is a directory with the tables that a comparison reads, and no others.
func side(t testing.TB, dir, asOf string, m snapshots.Manifest,
	tables map[string]func(path string, table snapshots.Table, at time.Time) error) diff.ComparedSnapshot {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(dir, snapshots.TablesDirName), 0o755); err != nil {
		t.Fatal(err)
	}
	m.ID, m.AsOf = snapshots.NewID(date(asOf).Time, 1), date(asOf)
	if tables["sources"] == nil {
		tables = maps.Clone(tables)
		tables["sources"] = rowsOf([]snapshots.SourcesRow{{Key: "platform", Kind: "platform"}})
	}
	for name, write := range tables {
		table, _ := snapshots.FindTable(name)
		if err := write(snapshots.JoinPath(dir, snapshots.TableFileName(name)), table, date(asOf).Time); err != nil {
			t.Fatal(err)
		}
	}
	return diff.ComparedSnapshot{Dir: dir, Manifest: m}
}

func rowsOf[T any](rows []T) func(string, snapshots.Table, time.Time) error {
	return func(path string, table snapshots.Table, at time.Time) error {
		return parquetio.WriteTable(path, table, nil, at, snapshots.SortedRows(table, rows))
	}
}

func compare(t testing.TB, from, to diff.ComparedSnapshot, o diff.Options) ([]snapshots.ChangesRow,
	[]diff.TableTotals) {
	t.Helper()
	var rows []snapshots.ChangesRow
	totals, err := diff.Compare(context.Background(), from, to, o,
		func(r snapshots.ChangesRow) error { rows = append(rows, r); return nil })
	if err != nil {
		t.Fatal(err)
	}
	return rows, totals
}

// printed is a row of people as it is printed.
func printed(r snapshots.PeopleRow) map[string]any {
	share := func(v *figure.Tenths) any {
		if v == nil {
			return nil
		}
		return json.Number(string(figure.AppendTenths(nil, *v)))
	}
	var count any
	switch r.PeopleTurnedDownStatus {
	case figure.StatusNumber:
		count = json.Number(fmt.Sprint(*r.PeopleTurnedDown))
	case figure.StatusUnderFive:
		count = "<5"
	}
	return map[string]any{"people_turned_down": count, "hired_with_skill_pct": share(r.HiredWithSkillPct),
		"turned_down_with_skill_pct": share(r.TurnedDownWithSkillPct)}
}

// drawPeople draws rows of the table people, which has every kind of token.
func drawPeople(rt *rapid.T, label string) map[string]snapshots.PeopleRow {
	rows := map[string]snapshots.PeopleRow{}
	for range rapid.IntRange(0, 12).Draw(rt, label) {
		r := snapshots.PeopleRow{Signature: snapshots.FilteredByPlace,
			Place: rapid.SampledFrom([]string{"a", "b", "ü \"x\""}).Draw(rt, "place"),
			Value: rapid.SampledFrom([]string{"2", "3"}).Draw(rt, "value"),
			Skill: rapid.SampledFrom([]string{"care", "sql"}).Draw(rt, "skill")}
		r.SetTurnedDown(figure.CountOf(rapid.Int64Range(-1, 7).Draw(rt, "count")))
		if rapid.Bool().Draw(rt, "share") {
			v := figure.Tenths(rapid.Int64Range(0, 3).Draw(rt, "tenths"))
			r.HiredWithSkillPct = &v
		}
		rows[fmt.Sprintf("%s|%s|%s", r.Place, r.Value, r.Skill)] = r
	}
	return rows
}

// change is a change as the oracle says it.
type change struct {
	Kind     snapshots.ChangeKind
	Key      map[string]any
	Old, New map[string]any
}

// oracle compares by looking up every key of either side.
func oracle(from, to map[string]snapshots.PeopleRow) []change {
	keys := slices.Sorted(maps.Keys(from))
	for k := range to {
		if _, there := from[k]; !there {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	var all []change
	for _, k := range keys {
		old, had := from[k]
		fresh, has := to[k]
		some := fresh
		if !has {
			some = old
		}
		c := change{Key: map[string]any{"signature": some.Signature, "place": some.Place, "value": some.Value,
			"skill": some.Skill}}
		switch {
		case !had:
			c.Kind, c.New = snapshots.RowAdded, printed(fresh)
		case !has:
			c.Kind, c.Old = snapshots.RowRemoved, printed(old)
		default:
			c.Kind, c.Old, c.New = snapshots.RowChanged, printed(old), printed(fresh)
			for name := range c.Old {
				if c.Old[name] == c.New[name] {
					delete(c.Old, name)
					delete(c.New, name)
				}
			}
			if len(c.Old) == 0 {
				continue
			}
		}
		all = append(all, c)
	}
	return all
}

func decoded(t *rapid.T, text *string) map[string]any {
	if text == nil {
		return nil
	}
	var out map[string]any
	d := json.NewDecoder(strings.NewReader(*text))
	d.UseNumber()
	if err := d.Decode(&out); err != nil {
		t.Fatalf("%s: %v", *text, err)
	}
	return out
}

// TestSameAsLookingUpEveryKey holds the merge against the oracle, one by one and
// as counts.
func TestSameAsLookingUpEveryKey(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		a, b := drawPeople(rt, "from"), drawPeople(rt, "to")
		from := side(t, filepath.Join(dir, "a"), "2026-11-20", snapshots.Manifest{}, tablesOf(a))
		to := side(t, filepath.Join(dir, "b"), "2026-11-21", snapshots.Manifest{}, tablesOf(b))
		want := oracle(a, b)
		rows, totals := compare(t, from, to, diff.Options{Tables: []string{"people"}})
		var got []change
		for _, r := range rows {
			if r.Keys != 1 || strings.Contains(*r.Key, "as_of") {
				rt.Fatalf("row %+v", r)
			}
			got = append(got, change{r.Change, decoded(rt, r.Key), decoded(rt, r.Old), decoded(rt, r.New)})
		}
		if d := gocmp.Diff(want, got); d != "" {
			rt.Fatal(d)
		}
		if len(totals) != 1 || totals[0].Changes() != int64(len(want)) {
			rt.Fatalf("totals %+v for %d changes", totals, len(want))
		}
		limit := rapid.IntRange(1, 4).Draw(rt, "limit")
		counted, _ := compare(t, from, to, diff.Options{Tables: []string{"people"}, MaxListedChanges: limit})
		checkCounted(rt, want, counted, limit)
	})
}

func tablesOf(rows map[string]snapshots.PeopleRow) map[string]func(string, snapshots.Table, time.Time) error {
	return map[string]func(string, snapshots.Table, time.Time) error{"people": rowsOf(
		slices.SortedFunc(maps.Values(rows), func(a, b snapshots.PeopleRow) int {
			return cmp.Compare(a.Place, b.Place)
		}))}
}

// checkCounted: within the limit nothing changes; beyond it there are only counts,
// which say of every kind how many keys differ.
func checkCounted(rt *rapid.T, want []change, got []snapshots.ChangesRow, limit int) {
	kinds := map[snapshots.ChangeKind]int64{}
	for _, c := range want {
		kinds[c.Kind]++
	}
	for _, r := range got {
		kinds[r.Change] -= r.Keys
		if one := len(want) <= limit; one != (r.Key != nil) || !one && (r.Old != nil || r.New != nil) {
			rt.Fatalf("with a limit of %d for %d changes: %+v", limit, len(want), r)
		}
	}
	for kind, n := range kinds {
		if n != 0 {
			rt.Fatalf("%s: %d keys more than were given", kind, n)
		}
	}
}
