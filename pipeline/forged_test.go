package pipeline

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"labour/pipeline/rebuild"
	"labour/pipeline/verify"
	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/snapshots/snaptest"
)

// TestForgedFiguresAreNamed changes one value in each of four tables, and the errors of coding, and
// writes every sum again, so that all files are those of the manifest. A wrong number of adverts
// that ask, of all adverts, or a wrong error of coding would give a wrong share, base or margin;
// lists show the first two. A wrong count or share of people shows in nothing but a rebuild.
func TestForgedFiguresAreNamed(t *testing.T) {
	s := newSmall(t)
	s.turnedDown(43)
	s.residents("camden", 60, "")
	id := s.run().ID
	snaptest.MakeRemovable(t, s.data)
	forge(s, id, "people", func(r *snapshots.PeopleRow) bool {
		if r.PeopleTurnedDown != nil {
			*r.PeopleTurnedDown += 5
		}
		return r.PeopleTurnedDown != nil
	})
	forge(s, id, "residents", func(r *snapshots.ResidentsRow) bool {
		if r.PeopleBelowSharePct != nil {
			*r.PeopleBelowSharePct -= 10
		}
		return r.PeopleBelowSharePct != nil
	})
	forge(s, id, "adverts", func(r *snapshots.AdvertsRow) bool { r.Adverts--; return true })
	forge(s, id, "adverts_total", func(r *snapshots.AdvertsTotalRow) bool { r.Adverts++; return true })
	s.sealAgain(id, func(m *snapshots.Manifest) { m.CodingErrors.RandomError /= 2 })

	r, err := verify.VerifyDir(t.Context(), s.store().SnapshotDir(id), verify.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Faults {
		if f.Check != "lists" && f.Check != "cells" {
			t.Errorf("found by other means than calculating figures again: %s", f)
		}
	}
	if len(r.Faults) == 0 {
		t.Error("no fault of lists that are not what the cells add up to")
	}
	tables, err := Rebuild(t.Context(), *s.last, id)
	if err != nil {
		t.Fatal(err)
	}
	tables = slices.DeleteFunc(tables, rebuild.Result.Equal)
	var named []string
	for _, table := range tables {
		named = append(named, table.Table)
	}
	if want := []string{"adverts", "adverts_total", rebuild.ErrorRatesResult, "people", "residents"}; !slices.Equal(named,
		want) {
		t.Errorf("the rebuild names %q, want %q", named, want)
	}
}

// forge changes the first row of a sealed table for which change returns true.
func forge[Row any](s *small, id snapshots.ID, name string, change func(*Row) bool) {
	s.t.Helper()
	path := snapshots.TablePath(s.store().SnapshotDir(id), name)
	table, _ := snapshots.FindTable(name)
	about, err := parquetio.ReadFooter(path)
	rows, readErr := parquetio.ReadAll[Row](path)
	m, _, manifestErr := snapshots.ReadManifest(s.store().SnapshotDir(id))
	if err := errors.Join(err, readErr, manifestErr); err != nil {
		s.t.Fatal(err)
	}
	changed := false
	for i := 0; i < len(rows) && !changed; i++ {
		changed = change(&rows[i])
	}
	if !changed {
		s.t.Fatalf("%s has no row to change", name)
	}
	asOf := m.AsOf.Time
	if snapshots.IsPeopleTable(name) {
		asOf = m.PeopleAsOf.Time
	}
	if err := errors.Join(os.Remove(path), parquetio.WriteTable(path, table, about.Metadata, asOf, rows)); err != nil {
		s.t.Fatal(err)
	}
}

// sealAgain writes the manifest of a snapshot, with a change and the hashes of its tables, and the sums.
func (s *small) sealAgain(id snapshots.ID, change func(*snapshots.Manifest)) {
	s.t.Helper()
	dir := s.store().SnapshotDir(id)
	m, _, err := snapshots.ReadManifest(dir)
	if err != nil {
		s.t.Fatal(err)
	}
	change(&m)
	sums := map[string]string{}
	for i, table := range m.Tables {
		file, err := snapshots.HashFile(snapshots.TablePath(dir, table.Name))
		if err != nil {
			s.t.Fatal(err)
		}
		m.Tables[i].Bytes, m.Tables[i].SHA256 = file.Bytes, file.SHA256
		sums[snapshots.TableFileName(table.Name)] = file.SHA256
	}
	for _, file := range m.Files {
		sums[file.Path] = file.SHA256
	}
	text, err := m.Encode()
	if err != nil {
		s.t.Fatal(err)
	}
	sum := sha256.Sum256(text)
	sums[snapshots.ManifestFileName] = hex.EncodeToString(sum[:])
	var lines strings.Builder
	for path, sum := range sums {
		lines.WriteString(sum + "  " + path + "\n")
	}
	for name, text := range map[string]string{snapshots.ManifestFileName: string(text),
		snapshots.SumsFileName: lines.String()} {
		path := snapshots.JoinPath(dir, name)
		if err := errors.Join(os.Remove(path), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			s.t.Fatal(err)
		}
	}
}
