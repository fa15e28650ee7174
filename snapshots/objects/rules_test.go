package objects

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/snapshots"
	"labour/snapshots/store"
)

// folder is a remote in a folder, with these objects.
func folder(t *testing.T, objects map[string]string) *RemoteSnapshots {
	t.Helper()
	r := remote(t, "file://"+filepath.ToSlash(t.TempDir()))
	for name, text := range objects {
		if err := r.bucket.WriteAll(t.Context(), name, []byte(text), nil); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// TestCurrentOfAFolder is the ID in the file, with or without a line end; anything else is an error.
func TestCurrentOfAFolder(t *testing.T) {
	for text, want := range map[string]snapshots.ID{"2026-11-20.1\n": "2026-11-20.1", "2026-11-20.1": "2026-11-20.1",
		"":        "",
		"today\n": "", "2026-11-20.1\n\n": ""} {
		id, err := folder(t, map[string]string{snapshots.CurrentFileName: text}).Current(t.Context())
		if id != want || (err == nil) != (want != "") || errors.Is(err, store.ErrNoCurrent) ||
			err != nil && (!errors.Is(err, snapshots.ErrInvalidID) || !strings.HasPrefix(err.Error(), "read CURRENT: ")) {
			t.Errorf("%q: %q, %v; want %q", text, id, err, want)
		}
		if err != nil && !strings.Contains(err.Error(), "delete it in the object storage, then publish") {
			t.Errorf("%q: %v does not say what to do", text, err)
		}
	}
	if id, err := folder(t, nil).Current(t.Context()); id != "" || !errors.Is(err, store.ErrNoCurrent) {
		t.Errorf("no file: %q, %v", id, err)
	}
}

// TestCopiesAreBounded: all bytes up to the limit, with their hash, and none of an object that is longer.
func TestCopiesAreBounded(t *testing.T) {
	r := folder(t, map[string]string{"abc": "abc"})
	const sum = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	for most, ok := range map[int64]bool{2: false, 3: true, 4: true} {
		var out bytes.Buffer
		came, err := r.copyTo(t.Context(), "abc", &out, most)
		if ok && (err != nil || came.SHA256 != sum || came.Bytes != 3 || out.String() != "abc") {
			t.Errorf("a limit of %d: %+v, %q, %v", most, came, out.String(), err)
		}
		if !ok && (err == nil || out.Len() > 0 || err.Error() != "read abc: it has 3 bytes, and may have 2") {
			t.Errorf("a limit of %d: %q, %v", most, out.String(), err)
		}
	}
	if _, err := r.copyTo(t.Context(), "none", io.Discard, 9); err == nil || !strings.HasPrefix(err.Error(),
		"read none: ") {
		t.Errorf("what is not there: %v", err)
	}
	for name, c := range map[string]struct {
		key  string
		want snapshots.File
		has  bool
	}{"the same": {"abc", snapshots.File{SHA256: sum, Bytes: 3}, true}, "another size": {"abc",
		snapshots.File{SHA256: sum, Bytes: 4}, false},
		"another hash": {"abc", snapshots.File{SHA256: "0", Bytes: 3}, false}, "none": {"none",
			snapshots.File{SHA256: sum, Bytes: 3}, false}} {
		if got, err := r.has(t.Context(), c.key, c.want); got != c.has || err != nil {
			t.Errorf("%s: there %t, %v", name, got, err)
		}
	}
}

// TestTypesOfFiles by their endings.
func TestTypesOfFiles(t *testing.T) {
	for name, want := range map[string]string{"x/tables/a.parquet": "application/vnd.apache.parquet",
		"x/manifest.json": "application/json",
		"x/SHA256SUMS":    "text/plain; charset=utf-8", "x/SHA256SUMS.minisig": "text/plain; charset=utf-8"} {
		if got := contentType(name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}

// coded is an error of a service.
type coded string

func (c coded) Error() string     { return string(c) }
func (c coded) ErrorCode() string { return string(c) }

// TestConflictsOfAService: the condition of a write failed, or another write was under way.
func TestConflictsOfAService(t *testing.T) {
	for err, want := range map[error]bool{coded("PreconditionFailed"): true, coded("ConditionalRequestConflict"): true,
		coded("AccessDenied"): false, errors.New("broken line"): false, nil: false,
		fmt.Errorf("put: %w", coded("PreconditionFailed")): true} {
		if got := conflicts(err); got != want {
			t.Errorf("%v is a conflict: %t, want %t", err, got, want)
		}
	}
}

// TestCurrentMovesOnlyFromWhatWasRead: of two that read the same snapshot, the second gets an error.
func TestCurrentMovesOnlyFromWhatWasRead(t *testing.T) {
	r := folder(t, nil)
	if err := r.writeCurrent(t.Context(), []byte("2026-11-20.1\n"), "v1"); !errors.Is(err, store.ErrCurrentChanged) {
		t.Errorf("moved from what was never there: %v", err)
	}
	if err := r.writeCurrent(t.Context(), []byte("2026-11-20.1\n"), ""); err != nil {
		t.Fatal(err)
	}
	if err := r.writeCurrent(t.Context(), []byte("2026-11-20.2\n"), ""); !errors.Is(err, store.ErrCurrentChanged) {
		t.Errorf("moved from nothing, where something is: %v", err)
	}
	id, version, err := r.current(t.Context())
	if err != nil || id != "2026-11-20.1" || version == "" {
		t.Fatalf("%q of version %q, %v", id, version, err)
	}
	if err := r.writeCurrent(t.Context(), []byte("2026-11-20.30\n"), version); err != nil {
		t.Fatal(err)
	}
	if id, err := r.Current(t.Context()); err != nil || id != "2026-11-20.30" {
		t.Errorf("%q, %v", id, err)
	}
}

// TestFetchedFilesAreWhatIsStated: another hash, a missing file and a path out of the snapshot are
// refused.
func TestFetchedFilesAreWhatIsStated(t *testing.T) {
	const sum = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	const id = snapshots.ID("2026-11-20.1")
	r := folder(t, map[string]string{string(id) + "/report.json": "abc", string(id) + "/other.json": "abd",
		string(id) + "/SHA256SUMS": "sums"})
	dir := t.TempDir()
	m := snapshots.Manifest{ID: id, Files: []snapshots.File{{Path: "report.json", SHA256: sum, Bytes: 3},
		{Path: "other.json", SHA256: sum, Bytes: 3}, {Path: "none.json", SHA256: sum, Bytes: 3}}}
	for name, says := range map[string]string{"report.json": "", "SHA256SUMS": "",
		"other.json": "other.json is not what the manifest states: SHA-256 ",
		"none.json":  "none.json is missing at the address"} {
		var got PullResult
		err := r.fetch(t.Context(), dir, m, name, &got)
		if (err == nil) != (says == "") || err != nil && !strings.HasPrefix(err.Error(), says) ||
			(got.Got == 1) != (says == "") {
			t.Errorf("%s: %+v, %v; want %q", name, got, err, says)
		}
		if _, err := os.Stat(filepath.Join(dir, name)); (err == nil) != (says == "") {
			t.Errorf("%s on the disk: %v", name, err)
		}
	}
	var again PullResult
	if err := r.fetch(t.Context(), dir, m, "report.json", &again); err != nil || again.AlreadyThere != 1 ||
		again.Got != 0 || again.Bytes != 0 {
		t.Errorf("a second time: %+v, %v", again, err)
	}
	gone := snapshots.Manifest{ID: id, Files: []snapshots.File{{Path: "none.json", SHA256: sum, Bytes: 3}}}
	if err := r.fill(t.Context(), dir, gone, &PullResult{}); err == nil ||
		!strings.Contains(err.Error(), "none.json is missing at the address") {
		t.Errorf("filled without a file: %v", err)
	}
	block := filepath.Join(dir, "sub")
	if err := os.WriteFile(block, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	blocked := &PullResult{}
	if err := r.fetch(t.Context(), dir, m, "sub/report.json", blocked); err == nil || blocked.Got != 0 ||
		!strings.Contains(err.Error(), "not a directory") {
		t.Errorf("a folder that cannot be made: %+v, %v", blocked, err)
	}
	for _, path := range []string{"../x", "/x", "a/../../x"} {
		out := snapshots.Manifest{ID: id, Files: []snapshots.File{{Path: path}}}
		err := r.fill(t.Context(), dir, out, &PullResult{})
		if err == nil || !strings.Contains(err.Error(), "which is outside the snapshot") {
			t.Errorf("%s: %v", path, err)
		}
		if _, err := os.Stat(filepath.Join(dir, partName)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: a part is left: %v", path, err)
		}
	}
}

// TestPullRefusesAnotherManifest: one of another snapshot, or none.
func TestPullRefusesAnotherManifest(t *testing.T) {
	const other = `{"format": "labour/1", "id": "2026-11-20.2", "as_of": "2026-11-20"}`
	for text, says := range map[string]string{other: "pull 2026-11-20.1: its manifest names 2026-11-20.2",
		"{": "pull 2026-11-20.1: decode manifest"} {
		r := folder(t, map[string]string{snapshots.CurrentFileName: "2026-11-20.1\n", "2026-11-20.1/manifest.json": text})
		to, _ := empty(t)
		if got, err := r.Pull(t.Context(), to, verified(t)); err == nil || !strings.HasPrefix(err.Error(), says) ||
			got.IsNew {
			t.Errorf("%+v, %v; want %s", got, err, says)
		}
	}
}

// TestNotesOfWithdrawals: who and when are made up for, and files that are no notes are passed over.
func TestNotesOfWithdrawals(t *testing.T) {
	r := folder(t, map[string]string{"2026-11-20.1.withdrawn.json": "{", "readme.json": "{}",
		"2026-11-20.2.withdrawn.json":   `{"at":"2026-11-21T09:00:00Z","by":"A","reason":"wrong"}`,
		"2026-11-20.3/x.withdrawn.json": "{}"})
	all, err := r.withdrawals(t.Context())
	if err != nil || len(all) != 2 {
		t.Fatalf("%v, %v", all, err)
	}
	if w := all["2026-11-20.1"]; w.By != "the publisher" || w.At.IsZero() ||
		w.Reason != "the reason cannot be read" {
		t.Errorf("%+v", w)
	}
	if w := all["2026-11-20.2"]; w.By != "A" || !w.At.Equal(time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)) ||
		w.Reason != "wrong" {
		t.Errorf("%+v", w)
	}
	local, _ := empty(t)
	if done, err := withdraw(t.Context(), local, all); err == nil && len(done) > 0 {
		t.Errorf("withdrawn are %v, which the store has not", done)
	}
}

// TestFoldersOfABucket: the path of an address is a prefix, unless the address has both.
func TestFoldersOfABucket(t *testing.T) {
	for address, want := range map[string]string{"s3://b": "s3://b", "s3://b/": "s3://b/",
		"s3://b/north/works/?region=x": "s3://b?prefix=north%2Fworks%2F&region=x",
		"s3://b?prefix=x":              "s3://b?prefix=x", "s3://b/north?prefix=x": ""} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		before := u.String()
		got, err := folderAsPrefix(u)
		if want == "" {
			if err == nil || !strings.Contains(err.Error(), "a path (north) and a prefix (x)") {
				t.Errorf("%s: %v", address, err)
			}
			continue
		}
		if err != nil || got.String() != want || u.String() != before {
			t.Errorf("%s is %v, %v; want %s", address, got, err, want)
		}
	}
	r := folder(t, map[string]string{"north/CURRENT": "2026-11-20.1\n"})
	if id, err := remote(t, "file://"+filepath.ToSlash(r.dir)+"?prefix=north/").Current(t.Context()); err != nil ||
		id != "2026-11-20.1" {
		t.Errorf("a prefix in a folder: %q, %v", id, err)
	}
}

// TestIDsOfWithdrawalsAreSorted by day and run.
func TestIDsOfWithdrawalsAreSorted(t *testing.T) {
	data := t.TempDir()
	local := open(t, data)
	var want []snapshots.ID
	for _, id := range []snapshots.ID{"2026-11-20.2", "2026-11-20.10", "2026-11-21.1"} {
		path := filepath.Join(local.RootDir(), snapshots.WithdrawnFileName(id))
		if err := errors.Join(os.MkdirAll(local.RootDir(), 0o755), os.WriteFile(path, []byte(`{"by":"A","reason":"r"}`),
			0o600)); err != nil {
			t.Fatal(err)
		}
		want = append(want, id)
	}
	r := folder(t, map[string]string{"2026-11-20.2.withdrawn.json": "first"})
	sent, err := r.publishWithdrawals(t.Context(), local)
	if err != nil || !slices.Equal(sent, want) {
		t.Errorf("%v, %v; want %v", sent, err, want)
	}
	if b, err := r.read(t.Context(), "2026-11-20.2.withdrawn.json"); err != nil || string(b) != "first" {
		t.Errorf("a note that was there is %q, %v", b, err)
	}
	if b, err := r.read(t.Context(), "2026-11-20.10.withdrawn.json"); err != nil || !strings.Contains(string(b),
		`"reason": "r"`) {
		t.Errorf("a note that was not there is %q, %v", b, err)
	}
}
