package rebuild

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"labour/pipeline/manifestinputs"
	"labour/pipeline/options"
	"labour/pipeline/protected"
	"labour/pipeline/report"
	"labour/snapshots"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
	"labour/sources"
	"labour/sources/archive"
	"labour/sources/employerboards"
	"labour/sources/platform"
)

// Each input of a snapshot that cannot be read is an error that names the input.
func TestInputsThatCannotBeRead(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(t *testing.T, o *options.Options, dir string)
		want  string
	}{
		{"nothing", func(*testing.T, *options.Options, string) {}, ""},
		{"the configuration", func(_ *testing.T, o *options.Options, _ string) {
			o.Config.Sources.EmployerBoards = &employerboards.Config{}
		}, "configuration of the sources"},
		{"the manifest", func(t *testing.T, _ *options.Options, dir string) {
			replace(t, filepath.Join(dir, snapshots.ManifestFileName), "{")
		}, "2026-11-20.1"},
		{"the report", func(t *testing.T, _ *options.Options, dir string) {
			replace(t, filepath.Join(dir, snapshots.ReportFileName), "{")
		}, "report"},
		{"a short key", func(_ *testing.T, o *options.Options, _ string) {
			o.LookupSecret = func(name string) (string, bool) { return "short", name == "LABOUR_MANIFEST_KEY" }
		}, "the key of manifests must have at least 32 characters"},
		{"no key", func(_ *testing.T, o *options.Options, _ string) { o.LookupSecret = nil },
			"the hashes of the platform's files need a key; set LABOUR_MANIFEST_KEY, or put the key back at "},
		{"a secret that others may read", func(t *testing.T, o *options.Options, _ string) {
			file := protected.RoundingSecretFile(o.DataDir)
			replace(t, file, strings.Repeat("5e", 32))
			if err := os.Chmod(file, 0o644); err != nil {
				t.Fatal(err)
			}
		}, "other users may read the secret of people"},
		{"the archive", func(t *testing.T, o *options.Options, _ string) {
			replace(t, filepath.Join(protected.ArchiveDir(o.DataDir), "extracts.ndjson"), "")
		}, archive.ErrUnsupportedLayout.Error()},
	} {
		data := t.TempDir()
		id := snaptest.BuildSnapshot(t, data, today, snaptest.Content{PlatformName: "Works"})
		snaptest.MakeRemovable(t, data)
		folder, err := store.Open(data)
		if err != nil {
			t.Fatal(err)
		}
		o := optionsOf(data)
		c.spoil(t, o, folder.SnapshotDir(id))
		f, err := FindInputs(o, folder, id)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
		if c.want == "" && (f.AsOf() != sources.Date{Year: 2026, Month: 11, Day: 20} || f.IsLight) {
			t.Errorf("%s: %+v", c.name, f)
		}
	}
}

func replace(t *testing.T, file, text string) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(file), 0o700)
	os.Chmod(filepath.Dir(file), 0o700)
	if remove := os.Remove(file); !errors.Is(remove, os.ErrNotExist) {
		err = errors.Join(err, remove)
	}
	if err = errors.Join(err, os.WriteFile(file, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
}

// A journal and a table of corrections that cannot be read are errors, and so is a folder that
// cannot be made.
func TestRebuildsThatCannotBegin(t *testing.T) {
	data := t.TempDir()
	f := &SealedInputs{dir: protected.ArchiveDir(data), sealedDir: data, manifest: snapshots.Manifest{ID: "2026-11-20.1",
		Inputs: []snapshots.ArchivedFetch{{Source: "platform"}}}}
	replace(t, filepath.Join(f.dir, "extracts", "platform.ndjson"), "{]\n")
	o := optionsOf(data)
	list, err := o.ConfiguredSources()
	if err != nil {
		t.Fatal(err)
	}
	if err := f.findExtracts(list); !errors.Is(err, sources.ErrDamaged) {
		t.Errorf("a damaged journal: %v", err)
	}
	all, err := f.Corrections()
	if all != nil || err == nil || !strings.HasPrefix(err.Error(), "read the corrections of the time: ") {
		t.Errorf("without corrections: %v, %v", all, err)
	}
	blocked := t.TempDir()
	replace(t, filepath.Join(blocked, "protected"), "")
	o.DataDir = blocked
	if again, remove, err := f.MakeScratchDir(*o); err == nil || remove != nil || again.DataDir != blocked {
		t.Errorf("a file in place of the folder: %s, %v", again.DataDir, err)
	}
	for _, file := range []string{"snapshots", "snapshots/2026-11-20.1"} {
		scratch := t.TempDir()
		replace(t, filepath.Join(scratch, file), "")
		if err := f.restore(scratch); err == nil {
			t.Errorf("%s is there already, and that is no error", file)
		}
	}
	o.DataDir = data
	o.Config = nil // options that cannot be resolved
	if _, _, err := f.MakeScratchDir(*o); err == nil {
		t.Error("options without a configuration are no error")
	}
	if left, err := filepath.Glob(filepath.Join(data, "protected", "rebuild-*")); err != nil || len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
}

// ofMissingResidents builds a snapshot from a file of residents that is not in the archive. It is
// light if only is set. Its counts of people are those described.
func ofMissingResidents(t *testing.T, data, only string, people *snapshots.People) (*store.Store, snapshots.ID) {
	t.Helper()
	id := snaptest.BuildSnapshot(t, data, today, snaptest.Content{PlatformName: "Works"})
	snaptest.MakeRemovable(t, data)
	x := sources.Extract{Source: platform.Key, FetchedAt: noon, Objects: []sources.ArchivedObject{
		{Name: "residents.ndjson", SHA256: strings.Repeat("0", 64), FetchedAt: noon}}}
	a, err := archive.Open(protected.ArchiveDir(data))
	if err != nil {
		t.Fatal(err)
	}
	folder, err := store.Open(data)
	if err := errors.Join(err, a.AppendExtract(x), a.Close()); err != nil {
		t.Fatal(err)
	}
	m, err := folder.Manifest(id)
	r, err2 := report.Read(folder.SnapshotDir(id))
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	key := snapshots.ManifestKey(strings.Repeat("k", 32))
	m.People, m.Inputs = people, []snapshots.ArchivedFetch{manifestinputs.InputFromExtract(x, key, id)}
	r.OnlySource = only
	for file, value := range map[string]any{snapshots.ManifestFileName: m, snapshots.ReportFileName: r} {
		text, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		replace(t, filepath.Join(folder.SnapshotDir(id), file), string(text))
	}
	return folder, id
}

// TestFilesOfPeopleThatARebuildNeeds: a missing file of residents is an error only if the counts of
// people are computed again.
func TestFilesOfPeopleThatARebuildNeeds(t *testing.T) {
	for _, c := range []struct {
		name    string
		only    string
		people  *snapshots.People
		missing bool
	}{
		{"figures that are computed", "", nil, true},
		{"a light snapshot", platform.Key, nil, false},
		{"figures of an earlier snapshot", "", &snapshots.People{FirstSnapshot: "2026-07-20.1"}, false},
	} {
		data := t.TempDir()
		folder, id := ofMissingResidents(t, data, c.only, c.people)
		_, err := FindInputs(optionsOf(data), folder, id)
		if c.missing != errors.Is(err, sources.ErrNotFound) || !c.missing && err != nil {
			t.Errorf("%s: %v, want it missing: %t", c.name, err, c.missing)
		}
	}
}
