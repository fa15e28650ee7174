package verify_test

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/pipeline/verify"
	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

// change writes a table again with a change of its rows, before the snapshot is sealed.
func change[T any](w *store.Writer, name string, edit func([]T) []T) error {
	rows, err := parquetio.ReadAll[T](w.TablePath(name))
	if err != nil {
		return err
	}
	return plant(w, name, time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC), edit(rows))
}

// edit is a change of the rows of a table.
func edit[T any](table string, of func([]T) []T) func(*store.Writer) error {
	return func(w *store.Writer) error { return change(w, table, of) }
}

// TestListsThatAreNotTheCellsAreFound: answers are read from lists and rankings, so a changed
// count in one would change them though every cell is right.
func TestListsThatAreNotTheCellsAreFound(t *testing.T) {
	for name, plant := range map[string]struct {
		table, told string
		edit        func(w *store.Writer) error
	}{
		"one advert more in a list": {"lists", "adverts_total adds up to",
			edit("lists", func(rows []snapshots.FilterCombinationsRow) []snapshots.FilterCombinationsRow {
				rows[7].Adverts++
				return rows
			})},
		"another place known": {"lists", "adverts_total adds up to",
			edit("lists", func(rows []snapshots.FilterCombinationsRow) []snapshots.FilterCombinationsRow {
				rows[0].InArea, rows[0].InCouncil = rows[0].InCouncil, rows[0].InArea
				return rows
			})},
		"a list of another place": {"lists", "adverts_total adds up to",
			edit("lists", func(rows []snapshots.FilterCombinationsRow) []snapshots.FilterCombinationsRow {
				rows[len(rows)-1].Place = "nowhere"
				return rows
			})},
		"the country has no list": {"lists", "and no list",
			edit("lists", func(rows []snapshots.FilterCombinationsRow) []snapshots.FilterCombinationsRow {
				return slices.DeleteFunc(rows, func(r snapshots.FilterCombinationsRow) bool {
					return r.Place+r.Source+r.SOC+r.Sector == "" && r.WindowMonths == 12
				})
			})},
		"the country has no list of a quarter": {"lists", "3 months from 2026-07-01, and no list",
			edit("lists", func(rows []snapshots.FilterCombinationsRow) []snapshots.FilterCombinationsRow {
				return slices.DeleteFunc(rows, func(r snapshots.FilterCombinationsRow) bool {
					return r.Place+r.Source+r.SOC+r.Sector == "" && isQuarter(r) && r.Month.Month() == time.July &&
						r.Month.Year() == 2026
				})
			})},
		"a quarter that is not one of the calendar": {"lists", "are no window, month or quarter",
			edit("lists", func(rows []snapshots.FilterCombinationsRow) []snapshots.FilterCombinationsRow {
				at := slices.IndexFunc(rows, isQuarter)
				*rows[at].Month = rows[at].Month.AddDate(0, 1, 0)
				return rows
			})},
		"a quarter with the adverts of a month less": {"lists", "adverts_total adds up to",
			edit("lists", func(rows []snapshots.FilterCombinationsRow) []snapshots.FilterCombinationsRow {
				rows[slices.IndexFunc(rows, isQuarter)].Adverts--
				return rows
			})},
		"one advert moved to another skill": {"rankings", "adverts adds up to",
			edit("rankings", func(rows []snapshots.RankingsRow) []snapshots.RankingsRow {
				rows[0].Adverts++
				rows[1].Adverts--
				return rows
			})},
		"a row gone": {"rankings", "0 adverts of list ",
			edit("rankings", func(rows []snapshots.RankingsRow) []snapshots.RankingsRow { return rows[1:] })},
		"a row of a skill that no advert asks for": {"rankings", "ask for unheard-of; adverts adds up to 0",
			edit("rankings", func(rows []snapshots.RankingsRow) []snapshots.RankingsRow {
				last := rows[len(rows)-1]
				last.Skill = "unheard-of"
				return append(rows, last)
			})},
		"another number in the other order": {"rankings_by_skill", "is not rankings",
			edit("rankings_by_skill", func(rows []snapshots.RankingsRow) []snapshots.RankingsRow {
				rows[3].Adverts++
				return rows
			})},
		"a level that is not the mode": {"skills", "adverts ask for level",
			edit("skills", func(rows []snapshots.SkillsRow) []snapshots.SkillsRow {
				rows[0].Level = 1 + rows[0].Level%5
				return rows
			})},
	} {
		c := snaptest.DefaultContent(t, day)
		c.BeforeSeal = plant.edit
		root := t.TempDir()
		r := report(t, dirOf(t, root, snaptest.BuildSnapshot(t, root, day, c)))
		if !hasListFault(r, plant.table, plant.told) {
			t.Errorf("%s: not found: %v", name, r.Err())
		}
	}
}

// TestListsOfFewerSourcesAreFound: an answer names the sources of its list.
func TestListsOfFewerSourcesAreFound(t *testing.T) {
	c := snaptest.DefaultContent(t, day)
	c.BeforeSeal = edit("lists", func(rows []snapshots.FilterCombinationsRow) []snapshots.FilterCombinationsRow {
		at := slices.IndexFunc(rows, func(r snapshots.FilterCombinationsRow) bool { return strings.Contains(r.Sources, ",") })
		rows[at].Sources, _, _ = strings.Cut(rows[at].Sources, ",")
		return rows
	})
	root := t.TempDir()
	r := report(t, dirOf(t, root, snaptest.BuildSnapshot(t, root, day, c)))
	if len(r.Faults) != 1 || !hasListFault(r, "lists", "adverts_total has adverts of") {
		t.Error(r.Err())
	}
}

// hasListFault reports whether the check of lists found a fault of a table with this text.
func hasListFault(r verify.Report, table, text string) bool {
	return slices.ContainsFunc(r.Faults, func(f verify.Fault) bool {
		// Rankings are compared as a whole, and a missing list has no row.
		whole := strings.HasPrefix(table, "rankings") || strings.HasSuffix(text, "and no list")
		return f.Check == "lists" && f.File == snapshots.TableFileName(table) &&
			strings.Contains(f.Text, text) && whole == (f.Row == verify.WholeFile)
	})
}

func isQuarter(r snapshots.FilterCombinationsRow) bool { return r.Month != nil && r.WindowMonths == 3 }

// TestListsOfOneEmployerAreFound: a list under the floor must not be in the file.
func TestListsOfOneEmployerAreFound(t *testing.T) {
	c := snaptest.DefaultContent(t, day)
	c.BeforeSeal = edit("adverts_total", func(rows []snapshots.AdvertsTotalRow) []snapshots.AdvertsTotalRow {
		for i := range rows {
			rows[i].Employer1, rows[i].Employer2, rows[i].Employer3 = 1, nil, nil
		}
		return rows
	})
	root := t.TempDir()
	r := report(t, dirOf(t, root, snaptest.BuildSnapshot(t, root, day, c)))
	if !has(r, "lists", snapshots.TableFileName("lists"), 0, "of 1 employers") {
		t.Errorf("not found: %v", r.Err())
	}
}

// TestUnknownSkillsOfCellsAreFound: what names no skill of the register is in no answer.
func TestUnknownSkillsOfCellsAreFound(t *testing.T) {
	c := snaptest.DefaultContent(t, day)
	c.Adverts[0].Skill, c.Adverts[1].Level = "unheard-of", 0
	root := t.TempDir()
	r := report(t, dirOf(t, root, snaptest.BuildSnapshot(t, root, day, c)))
	for _, told := range []string{`skill "unheard-of"`, "at level 0"} {
		if !slices.ContainsFunc(r.Faults,
			func(f verify.Fault) bool { return f.Check == "cells" && strings.Contains(f.Text, told) }) {
			t.Errorf("%s is not found: %v", told, r.Err())
		}
	}
}

// TestTrustedCellsAreHashedOnly: a server leaves their rows to the check at sealing,
// and still finds a byte that changed since, and every other fault.
func TestTrustedCellsAreHashedOnly(t *testing.T) {
	c := snaptest.DefaultContent(t, day)
	c.Adverts[0].Adverts, c.Evidence[1].SourceKey = 1000, "nobody"
	root := t.TempDir()
	dir := dirOf(t, root, snaptest.BuildSnapshot(t, root, day, c))
	trusting := func() verify.Report {
		r, err := verify.VerifyDir(t.Context(), dir, verify.Options{SkipLargeTableRows: true})
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
	file := snapshots.JoinPath(dir, snapshots.TableFileName("rankings"))
	b, err := os.ReadFile(file)
	if err == nil {
		b[len(b)/2] ^= 1
		err = errors.Join(os.Chmod(file, 0o600), os.WriteFile(file, b, 0o600))
	}
	if err != nil {
		t.Fatal(err)
	}
	if r := trusting(); !has(r, "sums", snapshots.TableFileName("rankings"), verify.WholeFile, "SHA256SUMS") {
		t.Errorf("a changed byte is not found: %v", r.Err())
	}
}
