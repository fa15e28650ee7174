package verify_test

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"labour/pipeline/verify"
	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/snapshots/snaptest"
)

// change writes a table again with a change of its rows, before the snapshot is sealed.
func change[T any](w *snapshots.Writer, name string, edit func([]T) []T) error {
	rows, err := parquetio.ReadAll[T](w.TablePath(name))
	if err != nil {
		return err
	}
	return plant(w, name, time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC), edit(rows))
}

// TestRollupsThatAreNotTheCellsAreFound: answers are read from the roll-ups, so a changed
// count in one would change them though every cell is right.
func TestRollupsThatAreNotTheCellsAreFound(t *testing.T) {
	for name, plant := range map[string]struct {
		table string
		edit  func(w *snapshots.Writer) error
	}{
		"one advert moved to another skill": {"rollup_months", func(w *snapshots.Writer) error {
			return change(w, "rollup_months", func(rows []snapshots.RollupMonthsRow) []snapshots.RollupMonthsRow {
				rows[0].Adverts++
				rows[len(rows)-1].Adverts--
				return rows
			})
		}},
		"a level changed": {"rollup_skills", func(w *snapshots.Writer) error {
			return change(w, "rollup_skills", func(rows []snapshots.RollupSkillsRow) []snapshots.RollupSkillsRow {
				rows[len(rows)-1].Level ^= 1
				return rows
			})
		}},
		"a row gone": {"rollup_totals", func(w *snapshots.Writer) error {
			return change(w, "rollup_totals", func(rows []snapshots.RollupTotalsRow) []snapshots.RollupTotalsRow { return rows[1:] })
		}},
		"another place known": {"rollup_totals", func(w *snapshots.Writer) error {
			return change(w, "rollup_totals", func(rows []snapshots.RollupTotalsRow) []snapshots.RollupTotalsRow {
				rows[0].InArea, rows[0].InCouncil = rows[0].InCouncil, rows[0].InArea
				return rows
			})
		}},
	} {
		c := snaptest.Default(t, day)
		c.BeforeSeal = plant.edit
		root := t.TempDir()
		r := report(t, dirOf(t, root, snaptest.Build(t, root, day, c)))
		if !has(r, "roll-ups", snapshots.TableFileName(plant.table), verify.WholeFile, "adds up to") {
			t.Errorf("%s: not found: %v", name, r.Err())
		}
	}
}

// TestCellsWithoutNumberAreFound: what the roll-ups leave out would be in no answer.
func TestCellsWithoutNumberAreFound(t *testing.T) {
	c := snaptest.Default(t, day)
	c.Adverts[0].Skill = "unheard-of"
	root := t.TempDir()
	r := report(t, dirOf(t, root, snaptest.Build(t, root, day, c)))
	if len(r.Faults) != 1 || r.Faults[0].Check != "roll-ups" || !strings.Contains(r.Faults[0].What, `skill "unheard-of"`) {
		t.Errorf("not found: %v", r.Err())
	}
}

// TestTrustedCellsAreHashedOnly: a server leaves their rows to whoever sealed the snapshot,
// and still finds a byte that changed since, and every other fault.
func TestTrustedCellsAreHashedOnly(t *testing.T) {
	c := snaptest.Default(t, day)
	c.Adverts[0].Adverts, c.Evidence[0].SourceKey = 1000, "nobody"
	root := t.TempDir()
	dir := dirOf(t, root, snaptest.Build(t, root, day, c))
	trusting := func() verify.Report {
		r, err := verify.Dir(t.Context(), dir, verify.Options{TrustCells: true})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := trusting(); len(r.Faults) != 1 || r.Faults[0].Check != "sources" {
		t.Errorf("%v", r.Err())
	}
	if r := report(t, dir); len(r.Faults) < 2 {
		t.Errorf("reading all rows: %v", r.Err())
	}
	file := snapshots.Within(dir, snapshots.TableFileName("rollup_skills"))
	b, err := os.ReadFile(file)
	if err == nil {
		b[len(b)/2] ^= 1
		err = errors.Join(os.Chmod(file, 0o600), os.WriteFile(file, b, 0o600))
	}
	if err != nil {
		t.Fatal(err)
	}
	if r := trusting(); !has(r, "sums", snapshots.TableFileName("rollup_skills"), verify.WholeFile, "SHA256SUMS") {
		t.Errorf("a changed byte is not found: %v", r.Err())
	}
}
