package verify_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/snapshots/snaptest"
)

// freeze writes the sample of a format version again. Once a version has been
// released its sample must never change: the new format gets a version of its own.
var freeze = flag.Bool("freeze", false, "write the frozen sample of the current format version")

// TestFrozenSampleOpensForEver reads a snapshot that was written when version 1 was made.
func TestFrozenSampleOpensForEver(t *testing.T) {
	data := filepath.Join("testdata", "v1")
	if *freeze {
		if err := os.RemoveAll(data); err != nil {
			t.Fatal(err)
		}
		snaptest.Build(t, data, day, snaptest.Default(t, day))
	}
	store, err := snapshots.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	id, err := store.Current()
	if err != nil {
		t.Fatal(err)
	}
	m, err := store.Manifest(id)
	if err != nil || m.FormatVersion != 1 || len(m.Tables) != 24 {
		t.Fatalf("manifest of version %d with %d tables, %v", m.FormatVersion, len(m.Tables), err)
	}
	if r := report(t, store.Dir(id)); !r.OK() {
		t.Error(r.Err())
	}
	skills, err := parquetio.ReadAll[snapshots.SkillsRow](snapshots.Within(store.Dir(id), snapshots.TableFileName("skills")))
	if err != nil || len(skills) != 6 || skills[0].Skill != "care-planning" {
		t.Errorf("skills: %v, %v", skills, err)
	}
}
