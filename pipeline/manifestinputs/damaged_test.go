package manifestinputs

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"labour/pipeline/previous"
	"labour/snapshots"
	"labour/sources"
	"labour/sources/archive"
	"labour/sources/platform"
)

// An archive that cannot be read is an error of its own: a whole run would not mend it.
func TestDamagedArchiveIsAnError(t *testing.T) {
	dir := t.TempDir()
	a, err := archive.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	x := extract(platform.Key, 0, "a")
	if err := errors.Join(a.AppendExtract(extract(platform.Key, 5, "a")), a.AppendExtract(x)); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "extracts", platform.Key+".ndjson")
	if err := os.WriteFile(file, []byte("not json\nnor this\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	from := &previous.Snapshot{Manifest: snapshots.Manifest{ID: today,
		Inputs: []snapshots.ArchivedFetch{InputFromExtract(x, snapshots.ManifestKey(key), today)}}}
	_, err = LightInputs(a, snapshots.ManifestKey(key), from, tomorrow, nil)
	if !errors.Is(err, sources.ErrDamaged) || errors.Is(err, previous.ErrWholeRunNeeded) {
		t.Errorf("the error is %v, want that the archive is damaged", err)
	}
}
