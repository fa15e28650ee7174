package changed_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"labour/serve/web/changed"
	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// write writes a snapshot directory with changes and one source.
func write(t *testing.T, rows []snapshots.ChangesRow) string {
	t.Helper()
	dir, day := t.TempDir(), time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	for _, err := range []error{
		parquetio.WriteTable(snapshots.Within(dir, snapshots.ChangesName), snapshots.ChangesTable(), nil, day, rows),
		writeSources(dir, day),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func writeSources(dir string, day time.Time) error {
	if err := os.Mkdir(snapshots.Within(dir, snapshots.TablesName), 0o755); err != nil {
		return err
	}
	table, _ := snapshots.TableNamed("sources")
	return parquetio.WriteTable(snapshots.Within(dir, snapshots.TableFileName("sources")), table, nil, day, []snapshots.SourcesRow{{Key: "office", AttributionStatement: "Source: An office."}})
}

func row(table string, n int, kind snapshots.ChangeKind) snapshots.ChangesRow {
	key, value := fmt.Sprintf(`{"n":%d}`, n), fmt.Sprintf(`{"value":%d}`, n)
	return snapshots.ChangesRow{Table: table, Key: &key, Change: kind, New: &value, Reason: snapshots.ReasonMethod, SourceKeys: "office", Keys: 1}
}

// Whatever the filter and the page, the rows are those of the whole list, filtered and
// cut in plain Go; and nothing of a table that is not given away is in it.
func TestPagesAreThoseOfTheWholeList(t *testing.T) {
	kinds := []snapshots.ChangeKind{snapshots.KeyAdded, snapshots.KeyChanged, snapshots.KeyRemoved}
	var all []snapshots.ChangesRow
	for _, table := range []string{"adverts", "evidence", "people", "regions"} {
		for n := range 3*changed.Held/2 + 700 {
			all = append(all, row(table, n, kinds[n*n%7%3]))
		}
	}
	given := []string{"evidence", "regions"}
	list, err := changed.Read(write(t, all), given)
	if err != nil || list.Sources["office"].AttributionStatement == "" {
		t.Fatalf("%v, sources %v", err, list.Sources)
	}
	if len(list.Totals) != 2 || list.Totals[0].Table != "evidence" || list.Totals[0].Keys("") != int64(3*changed.Held/2+700) {
		t.Errorf("totals %+v", list.Totals)
	}
	rapid.Check(t, func(t *rapid.T) {
		f := changed.Filter{Table: rapid.SampledFrom([]string{"", "evidence", "regions", "people"}).Draw(t, "table"),
			Kind: rapid.SampledFrom(append(kinds, "")).Draw(t, "kind")}
		first, most := rapid.IntRange(0, changed.Held+50).Draw(t, "first"), rapid.IntRange(1, 60).Draw(t, "most")
		var want []snapshots.ChangesRow
		for _, r := range all {
			if slices.Contains(given, r.Table) && (f.Table == "" || r.Table == f.Table) && (f.Kind == "" || r.Change == f.Kind) {
				want = append(want, r)
			}
		}
		total := len(want)
		want = want[:min(len(want), changed.Held)]
		shown := len(want)
		want = want[min(first, len(want)):min(first+most, len(want))]
		got, of, keys := list.Page(f, first, most)
		same := slices.EqualFunc(got, want, func(a, b snapshots.ChangesRow) bool {
			return a.Table == b.Table && *a.Key == *b.Key && a.Change == b.Change
		})
		if !same || of != shown || keys != int64(total) {
			t.Fatalf("%+v from %d: %d rows of %d, %d keys; want %d of %d, %d", f, first, len(got), of, keys, len(want), shown, total)
		}
	})
}

// A snapshot from before there were lists has an empty one.
func TestWithoutAList(t *testing.T) {
	dir := t.TempDir()
	if err := writeSources(dir, time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	list, err := changed.Read(dir, []string{"regions"})
	if err != nil || len(list.Totals) != 0 {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestPairs(t *testing.T) {
	text := func(s string) *string { return &s }
	for name, c := range map[string]struct {
		old, fresh *string
		want       string
	}{
		"added":   {nil, text(`{"a":1.50,"b":"<5","c":null}`), "a +1.50; b +<5; c +null; "},
		"removed": {text(`{"a":"x \"y\""}`), nil, `a -x "y"; `},
		"changed": {text(`{"b":null,"a":"<5"}`), text(`{"b":7,"a":""}`), "b -null +7; a -<5 +; "},
		"counted": {nil, nil, ""},
	} {
		pairs, err := changed.Pairs(snapshots.ChangesRow{Old: c.old, New: c.fresh})
		got := ""
		for _, p := range pairs {
			got += p.Column
			got += printed(" -", p.Old) + printed(" +", p.New) + "; "
		}
		if err != nil || got != c.want {
			t.Errorf("%s: %q, %v; want %q", name, got, err, c.want)
		}
	}
	for _, bad := range []string{"", "[]", "{", `{"a":{"b":1}}`, `{"a":[1]}`, "7"} {
		if _, err := changed.Values(&bad); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}

func printed(sign string, v *changed.Value) string {
	switch {
	case v == nil:
		return ""
	case v.Null:
		return sign + "null"
	}
	return sign + v.Text
}

// Whatever is read as columns has a name and a value for each, and no object inside.
func FuzzValues(f *testing.F) {
	f.Add(`{"a":1.50,"b":"<5","c":null,"d":true}`)
	f.Add(`{"a":{"b":1}}`)
	f.Fuzz(func(t *testing.T, object string) {
		values, err := changed.Values(&object)
		if err != nil {
			return
		}
		if n := strings.Count(object, ":"); len(values) > n {
			t.Fatalf("%d columns in %q", len(values), object)
		}
		for _, v := range values {
			if v.Null && v.Text != "" {
				t.Fatalf("%+v is a null with a value", v)
			}
		}
	})
}
