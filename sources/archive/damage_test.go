package archive_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"labour/sources"
	"labour/sources/archive"
)

// spoiltArchive is an archive with one download and one extract, closed and opened again, in which a file or
// folder is then replaced: by nothing, by a folder with a file, or by a line that is no record.
func spoiltArchive(t *testing.T, path, by string) (*archive.Archive, sources.ArchivedObject) {
	t.Helper()
	dir := t.TempDir()
	a := open(t, dir)
	o := put(t, a, "body")
	err := errors.Join(a.AppendFetchRecord(archive.FetchRecord{Source: "s", ObjectName: "part", SHA256: o.SHA256,
		EndedAt: noon}),
		a.AppendExtract(sources.Extract{Source: "s", FetchedAt: noon, Objects: []sources.ArchivedObject{o}}), a.Close())
	again := open(t, dir)
	err = errors.Join(err, os.RemoveAll(filepath.Join(dir, path)))
	switch by {
	case "a folder":
		err = errors.Join(err, os.MkdirAll(filepath.Join(dir, path, "sub"), 0o700))
	case "no record":
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, path), []byte("no record\n"), 0o600))
	}
	if err != nil {
		t.Fatal(err)
	}
	return again, o
}

// TestSpoiltArchiveIsAnError, and is not changed: of each file that can be spoilt, what then fails, and why.
func TestSpoiltArchiveIsAnError(t *testing.T) {
	const sum = "230d8358dc8e8890b4c58deeb62912ee2f20357ae92a5cc861b98e68fe31acb5" // of "body"
	record := archive.FetchRecord{Source: "s", ObjectName: "part", SHA256: sum, EndedAt: noon}
	appendRecord := func(a *archive.Archive, _ sources.ArchivedObject) error { return a.AppendFetchRecord(record) }
	appendExtract := func(a *archive.Archive, _ sources.ArchivedObject) error {
		return a.AppendExtract(sources.Extract{Source: "s", FetchedAt: noon})
	}
	putBody := func(a *archive.Archive, _ sources.ArchivedObject) error {
		sha, _, err := a.PutBody("s", strings.NewReader("body"), 9)
		if sha != "" {
			return errors.New("a body that was not stored has the sha256 " + sha)
		}
		return err
	}
	lastFetch := func(a *archive.Archive, _ sources.ArchivedObject) error {
		_, ok, err := a.LastFetchWithBody("s", "part")
		if ok {
			return errors.New("an unreadable download is there")
		}
		return err
	}
	remove := func(a *archive.Archive, o sources.ArchivedObject) error {
		c, err := a.RemoveUnneeded(func(string) bool { return false }, false)
		if c.Removed > 0 {
			return fmt.Errorf("removed %d", c.Removed)
		}
		return err
	}
	list := func(a *archive.Archive, _ sources.ArchivedObject) error { _, err := a.Sources(); return err }
	carried := func(a *archive.Archive, _ sources.ArchivedObject) error {
		_, err := a.CarriedParts("s", archive.PartOfObject, archive.AllExtracts)
		return err
	}
	delivered := func(a *archive.Archive, _ sources.ArchivedObject) error {
		_, err := a.PartDeliveryTimes("s", nil, archive.PartOfObject, archive.AllExtracts)
		return err
	}
	verify := func(a *archive.Archive, o sources.ArchivedObject) error { return a.VerifyBody(o) }
	const fetches, extracts, body = "fetches/s.ndjson", "extracts/s.ndjson", "sha256/23/" + sum + ".zst"
	for name, c := range map[string]struct {
		path, by string
		do       func(*archive.Archive, sources.ArchivedObject) error
		is       error
		says     string
	}{
		"record behind no record":     {fetches, "no record", appendRecord, sources.ErrDamaged, ""},
		"record in a folder":          {fetches, "a folder", appendRecord, syscall.EISDIR, ""},
		"record without its lock":     {"locks/s", "a folder", appendRecord, syscall.EISDIR, "lock archive "},
		"extract in a folder":         {extracts, "a folder", appendExtract, syscall.EISDIR, "open journal "},
		"extract without its lock":    {"locks/s", "a folder", appendExtract, syscall.EISDIR, "lock archive "},
		"body without its lock":       {"locks/s", "a folder", putBody, syscall.EISDIR, "lock archive "},
		"body without a folder":       {"sha256", "", putBody, os.ErrNotExist, "file a body: "},
		"body in place of a folder":   {body, "a folder", putBody, os.ErrExist, "file a body: "},
		"last download of no extract": {extracts, "no record", lastFetch, sources.ErrDamaged, ""},
		"last download of no record":  {fetches, "no record", lastFetch, sources.ErrDamaged, ""},
		"removal without a record":    {fetches, "no record", remove, sources.ErrDamaged, "collect archived bodies: "},
		"removal without bodies":      {"sha256", "", remove, os.ErrNotExist, "collect archived bodies: "},
		"sources of no folder":        {"extracts", "", list, os.ErrNotExist, "list the sources of the archive: "},
		"carried of no record":        {extracts, "no record", carried, sources.ErrDamaged, ""},
		"delivered of no record":      {extracts, "no record", delivered, sources.ErrDamaged, ""},
		"a body that is gone":         {body, "", verify, sources.ErrNotFound, "open part "},
	} {
		a, o := spoiltArchive(t, c.path, c.by)
		if err := c.do(a, o); !errors.Is(err, c.is) || !strings.HasPrefix(err.Error(), c.says) {
			t.Errorf("%s: %v, want %v: %s", name, err, c.is, c.says)
		}
	}
}

// TestWritesOfARunDoNotDisturbEachOther: a record that is written while a body arrives leaves the body alone.
func TestWritesOfARunDoNotDisturbEachOther(t *testing.T) {
	a := open(t, t.TempDir())
	put(t, a, "earlier")
	during := readerFunc(func([]byte) (int, error) {
		if err := a.AppendFetchRecord(archive.FetchRecord{Source: "s", ObjectName: "other"}); err != nil {
			return 0, err
		}
		return 0, io.EOF
	})
	sha, n, err := a.PutBody("s", io.MultiReader(strings.NewReader("body"), during), 9)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := read(a, sources.ArchivedObject{SHA256: sha}); text != "body" || n != 4 || err != nil {
		t.Errorf("%q of %d bytes, %v", text, n, err)
	}
}

// readerFunc is a function that reads.
type readerFunc func([]byte) (int, error)

// Read calls the function.
func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// TestCarriedPartsOfSomeExtracts: what an extract that is not considered says about its parts is ignored.
func TestCarriedPartsOfSomeExtracts(t *testing.T) {
	a := open(t, t.TempDir())
	for day, carried := range []bool{false, true, false} {
		if err := a.AppendExtract(sources.Extract{Source: "s", FetchedAt: noon.AddDate(0, 0, day),
			Objects: []sources.ArchivedObject{{Name: "v/a", Carried: carried}}}); err != nil {
			t.Fatal(err)
		}
	}
	for last, want := range map[int][]archive.PartDelivery{2: {}, 1: {{Name: "v/a", LastDelivered: noon}}, 0: {}} {
		got, err := a.CarriedParts("s", archive.PartOfObject,
			func(x sources.Extract) bool { return !x.FetchedAt.After(noon.AddDate(0, 0, last)) })
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("to day %d: %+v, %v; want %+v", last, got, err, want)
		}
	}
}
