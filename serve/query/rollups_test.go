package query

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/snapshots/rollups"
	"labour/snapshots/snaptest"
)

// withoutRollups is a copy of a snapshot that has no roll-ups, as older ones.
func withoutRollups(t testing.TB, dir string) string {
	t.Helper()
	bare := t.TempDir()
	m, _, err := snapshots.ReadManifest(dir)
	if err == nil {
		err = os.CopyFS(filepath.Join(bare, snapshots.TablesName), os.DirFS(filepath.Join(dir, snapshots.TablesName)))
	}
	if err != nil {
		t.Fatal(err)
	}
	m.Tables = slices.DeleteFunc(m.Tables, func(f snapshots.TableFile) bool { return snapshots.IsRollup(f.Name) })
	b, err := m.Encode()
	if err == nil {
		err = os.WriteFile(filepath.Join(bare, snapshots.ManifestName), b, 0o600)
	}
	for _, name := range rollups.Names() {
		if err == nil {
			err = os.Remove(snapshots.Within(bare, snapshots.TableFileName(name)))
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return bare
}

// rowsOf is every row of a table of the mounted figures, in its order.
func rowsOf(t *testing.T, s *Snapshot, table string) []string {
	t.Helper()
	rows, err := s.parts[figures].db.Query("SELECT r::VARCHAR FROM " + table + " r")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var row string
		if err := rows.Scan(&row); err != nil {
			t.Fatal(err)
		}
		all = append(all, row)
	}
	return all
}

// TestRollupsAreMadeAsTheyAreStored: what a server makes of a snapshot without roll-ups is
// what another program counted, row by row, in the same order.
func TestRollupsAreMadeAsTheyAreStored(t *testing.T) {
	const asOf = "2026-11-20"
	contents := []snaptest.Content{snaptest.Default(t, asOf)}
	for seed := range drawn(5) {
		contents = append(contents, randomContent(t, asOf).Example(seed))
	}
	for i, content := range contents {
		dir := sealed(t, asOf, content)
		stored, made := mountDir(t, dir), mountDir(t, withoutRollups(t, dir))
		for _, table := range rollups.Names() {
			table = strings.Replace(table, "rollup_totals", "totals", 1)
			want, got := rowsOf(t, stored, table), rowsOf(t, made, table)
			if len(want) == 0 || !slices.Equal(got, want) {
				t.Errorf("content %d, %s: made %d rows, stored %d, or others", i, table, len(got), len(want))
			}
		}
	}
}

// TestMountSortsNoStoredRollups: the files of a snapshot with roll-ups are read as they
// are, and neither table of cells is read at all.
func TestMountSortsNoStoredRollups(t *testing.T) {
	m, _, err := snapshots.ReadManifest(sealed(t, "2026-11-20", snaptest.Default(t, "2026-11-20")))
	if err != nil {
		t.Fatal(err)
	}
	spec := partOf(figures, m)
	if spec.derived {
		t.Fatal("roll-ups are made though the snapshot has them")
	}
	for _, file := range spec.load {
		text := spec.text(file)
		if strings.Contains(text, "/adverts") || strings.Contains(text, "rollup_months.parquet") && strings.Contains(text, "ORDER BY") {
			t.Errorf("%s reads cells, or sorts roll-ups", file)
		}
	}
}

// TestRollupsOfAnotherListAreRefused: a number that stands for another value than in the
// list would name other skills and places in every answer.
func TestRollupsOfAnotherListAreRefused(t *testing.T) {
	c := snaptest.Default(t, "2026-11-20")
	for name, change := range map[string]func(*snaptest.Content){
		`skill "` + c.Skills[0].Skill: func(c *snaptest.Content) { c.Skills = c.Skills[1:] },
		`place "`:                     func(c *snaptest.Content) { c.Places = c.Places[1:] },
	} {
		dir, other := sealed(t, "2026-11-20", c), snaptest.Default(t, "2026-11-20")
		change(&other)
		mixed := t.TempDir()
		if err := os.CopyFS(mixed, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
		for _, table := range []string{"skills", "places"} {
			from := snapshots.Within(sealed(t, "2026-11-20", other), snapshots.TableFileName(table))
			b, err := os.ReadFile(from)
			to := snapshots.Within(mixed, snapshots.TableFileName(table))
			if err == nil {
				err = os.Chmod(to, 0o600)
			}
			if err == nil {
				err = os.WriteFile(to, b, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		_, err := Mount(context.Background(), mixed, Options{TempDir: t.TempDir()})
		if err == nil || !strings.Contains(fmt.Sprint(err), "rollup_codes: "+name) {
			t.Errorf("%s: mounted: %v", name, err)
		}
	}
}

// TestUnknownNumbersAreRefused: a number without a value could not be named in an answer.
func TestUnknownNumbersAreRefused(t *testing.T) {
	c := snaptest.Default(t, "2026-11-20")
	c.BeforeSeal = func(w *snapshots.Writer) error {
		path := w.TablePath("rollup_skills")
		rows, err := parquetio.ReadAll[snapshots.RollupSkillsRow](path)
		if err != nil {
			return err
		}
		rows[len(rows)-1].SkillCode = 99
		table, _ := snapshots.TableNamed("rollup_skills")
		return parquetio.WriteTable(path, table, nil, time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC), rows)
	}
	_, err := Mount(context.Background(), sealed(t, "2026-11-20", c), Options{TempDir: t.TempDir()})
	if !errors.Is(err, ErrUnfit) || !strings.Contains(err.Error(), "a skill that is not in rollup_codes") {
		t.Errorf("mounted: %v", err)
	}
}
