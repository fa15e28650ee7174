package archive_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"labour/sources"
	"labour/sources/archive"
)

// Two processes write at once, each for its own source, and neither removes bodies
// meanwhile.
func TestOneLockPerSource(t *testing.T) {
	dir := t.TempDir()
	first, second := open(t, dir), open(t, dir)
	if err := errors.Join(first.AppendExtract(sources.Extract{Source: "slow", FetchedAt: noon}),
		second.AppendExtract(sources.Extract{Source: "quick", FetchedAt: noon})); err != nil {
		t.Fatal(err)
	}
	if err := second.AppendExtract(sources.Extract{Source: "slow", FetchedAt: noon}); !errors.Is(err, archive.ErrBusy) {
		t.Errorf("a second writer for one source: %v", err)
	}
	all := func(string) bool { return true }
	for _, a := range []*archive.Archive{first, open(t, dir)} {
		if _, err := a.RemoveUnneeded(all, true); !errors.Is(err, archive.ErrBusy) {
			t.Errorf("collected while others write: %v", err)
		}
	}
	first.Close()
	second.Close()
	if _, err := open(t, dir).RemoveUnneeded(all, true); err != nil {
		t.Error(err)
	}
}

// A record that cannot be read is an error: what was listed then must not vanish in
// silence.
func TestDamagedJournalIsAnError(t *testing.T) {
	dir := t.TempDir()
	a := open(t, dir)
	for day := range 3 {
		if err := errors.Join(a.AppendFetchRecord(archive.FetchRecord{Source: "s", ObjectName: "n", SHA256: "1",
			EndedAt: noon}),
			a.AppendExtract(sources.Extract{Source: "s", FetchedAt: noon.AddDate(0, 0, day)})); err != nil {
			t.Fatal(err)
		}
	}
	for _, folder := range []string{"extracts", "fetches"} {
		file := filepath.Join(dir, folder, "s.ndjson")
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lines := bytes.SplitAfter(b, []byte("\n"))
		lines[0] = []byte("not json\n")
		if err := os.WriteFile(file, bytes.Join(lines, nil), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b := open(t, dir)
	if all, err := b.ExtractsSince("s", time.Time{}); !errors.Is(err, sources.ErrDamaged) || all != nil {
		t.Errorf("extracts: %v, %v", all, err)
	}
	if x, ok, err := b.LastExtract("s"); err != nil || !ok || !x.FetchedAt.Equal(noon.AddDate(0, 0, 2)) {
		t.Errorf("the newest extract, which is whole: %v %v %v", x, ok, err)
	}
	var last error
	for _, err := range b.FetchRecords("s") {
		last = err
	}
	if err := last; !errors.Is(err, sources.ErrDamaged) {
		t.Errorf("fetches: %v", err)
	}
}

// A run needs only the end of the journals; it reads no more of them, however long they are.
func TestTheOldPastIsNotRead(t *testing.T) {
	dir := t.TempDir()
	a := open(t, dir)
	o := sources.ArchivedObject{Name: "n", SHA256: "1"}
	for day := range 3 {
		at := noon.AddDate(0, 0, day)
		if err := errors.Join(
			a.AppendFetchRecord(archive.FetchRecord{Source: "s", ObjectName: "n", SHA256: "1", EndedAt: at.Add(-time.Minute)}),
			a.AppendExtract(sources.Extract{Source: "s", FetchedAt: at, Objects: []sources.ArchivedObject{o}})); err != nil {
			t.Fatal(err)
		}
	}
	a.Close()
	for _, folder := range []string{"extracts", "fetches"} {
		file := filepath.Join(dir, folder, "s.ndjson")
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, append([]byte("not json\n"), b...), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	again := open(t, dir)
	_, last, err1 := again.LastExtract("s")
	_, fetched, err2 := again.LastFetchWithBody("s", "n")
	had, err3 := again.PartDeliveryTimes("s", nil, archive.FirstSegmentOfObject, archive.AllExtracts)
	_, err4 := again.CarriedParts("s", archive.PartOfObject, archive.AllExtracts)
	if err := errors.Join(err1, err2, err3, err4); err != nil || !last || !fetched || len(had) != 1 ||
		!had[0].LastDelivered.Equal(noon.AddDate(0, 0, 2)) {
		t.Errorf("%v %v %v, %v", last, fetched, had, err)
	}
}
