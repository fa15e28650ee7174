package objects

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"gocloud.dev/blob"
	"gocloud.dev/blob/memblob"

	"labour/snapshots"
	"labour/snapshots/store"
)

// inMemory is a remote that is no folder: its objects have metadata, as those of a service do.
func inMemory() *RemoteSnapshots { return &RemoteSnapshots{bucket: memblob.OpenBucket(nil)} }

// TestObjectsOfAServiceAreSentOnce: their hash in the metadata is compared, and CURRENT is written only
// where the service can make that conditional.
func TestObjectsOfAServiceAreSentOnce(t *testing.T) {
	from, id, _ := publishedStore(t, "2026-11-20")
	r := inMemory()
	sent, err := r.Publish(t.Context(), from, id)
	if err != nil || !sent.IsNowCurrent || sent.Sent < 20 || sent.AlreadyThere != 0 || sent.Bytes == 0 {
		t.Fatalf("%+v, %v", sent, err)
	}
	if again, err := r.Publish(t.Context(), from, id); err != nil || again.Sent != 0 || again.AlreadyThere != sent.Sent ||
		again.Bytes != 0 || !again.IsNowCurrent {
		t.Errorf("a second publication: %+v, %v", again, err)
	}
	if err := r.writeCurrent(t.Context(), []byte("2026-11-21.1\n"), ""); !errors.Is(err, store.ErrCurrentChanged) {
		t.Errorf("moved from nothing, where something is: %v", err)
	}
	err = r.writeCurrent(t.Context(), []byte("2026-11-21.1\n"), "a version")
	if err == nil || !strings.Contains(err.Error(), "the object storage offers no conditional write") {
		t.Errorf("a service without conditional writes: %v", err)
	}
	if now, err := r.Current(t.Context()); now != id || err != nil {
		t.Errorf("current is %s, %v", now, err)
	}
	const sum = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" // of "abc"
	for stated, want := range map[string]bool{sum: true, "0": false} {
		if err := r.bucket.WriteAll(t.Context(), "abc", []byte("abc"),
			&blob.WriterOptions{Metadata: map[string]string{sumMetadata: stated}}); err != nil {
			t.Fatal(err)
		}
		if there, err := r.has(t.Context(), "abc", snapshots.File{SHA256: sum, Bytes: 3}); there != want || err != nil {
			t.Errorf("with the hash %s: there %t, %v", stated, there, err)
		}
	}
}

// TestCurrentOfAServiceMovesOnCondition: the version that was read is sent along, and a refusal means that
// somebody else was first.
func TestCurrentOfAServiceMovesOnCondition(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "key")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	var asked []string
	status := http.StatusOK
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		body, _ := io.ReadAll(q.Body)
		asked = append(asked, q.Method+" "+q.URL.Path+" "+q.Header.Get("If-Match")+q.Header.Get("If-None-Match")+" "+
			q.Header.Get("Cache-Control")+" "+map[bool]string{true: "the ID"}[strings.Contains(string(body),
			"2026-11-20.1\n")])
		if status != http.StatusOK {
			w.WriteHeader(status)
			io.WriteString(w, "<Error><Code>PreconditionFailed</Code></Error>")
		}
	}))
	defer s.Close()
	r := remote(t, "s3://bucket/north?region=eu-west-2&use_path_style=true&endpoint="+s.URL)
	for version, want := range map[string]string{`"v1"`: `PUT /bucket/north/CURRENT "v1" no-store the ID`,
		"": "PUT /bucket/north/CURRENT * no-store the ID"} {
		for status = range map[int]bool{http.StatusOK: true, http.StatusPreconditionFailed: true} {
			asked = nil
			err := r.writeCurrent(t.Context(), []byte("2026-11-20.1\n"), version)
			if len(asked) != 1 || asked[0] != want {
				t.Errorf("asked %q, want %q", asked, want)
			}
			if changed := status != http.StatusOK; errors.Is(err, store.ErrCurrentChanged) != changed || !changed &&
				err != nil {
				t.Errorf("status %d: %v", status, err)
			}
		}
	}
}

// TestClosedServiceIsAnError for every request, and the error names what was requested.
func TestClosedServiceIsAnError(t *testing.T) {
	r := inMemory()
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	local, id, _ := publishedStore(t, "2026-11-20")
	withdrawn, gone, _ := publishedStore(t, "2026-11-20")
	if _, err := withdrawn.Withdraw(t.Context(), gone, store.Withdrawal{At: time.Unix(1e9, 0), By: "A",
		Reason: "wrong"}); err != nil {
		t.Fatal(err)
	}
	m, _, err := snapshots.ReadManifest(local.SnapshotDir(id))
	if err != nil {
		t.Fatal(err)
	}
	for says, do := range map[string]func() error{
		"read CURRENT: ":                       func() error { _, err := r.Current(t.Context()); return err },
		"publish 2026-11-20.1: read CURRENT: ": func() error { _, err := r.Publish(t.Context(), local, id); return err },
		"publish 2026-11-20.1: look for ": func() error {
			_, err := r.Publish(t.Context(), withdrawn,
				gone)
			return err
		},
		"pull: list the withdrawn snapshots: ": func() error { _, err := r.Pull(t.Context(), local, nil); return err },
		"look for abc: ": func() error {
			_, err := r.has(t.Context(), "abc",
				snapshots.File{})
			return err
		},
		"look for the signature: ":          func() error { return r.fill(t.Context(), t.TempDir(), m, &PullResult{}) },
		"read 2026-11-20.1/manifest.json: ": func() error { return r.checkSameManifest(t.Context(), id, "") },
		"look for 2026-11-20.1/report.json: ": func() error {
			return r.send(t.Context(), local.SnapshotDir(id), m, snapshots.ReportFileName, &PublishResult{})
		},
		"send x: ": func() error {
			return r.upload(t.Context(), "x", filepath.Join(local.SnapshotDir(id), snapshots.ReportFileName),
				snapshots.File{})
		},
	} {
		if err := do(); err == nil || !strings.HasPrefix(err.Error(), says) {
			t.Errorf("%v, want an error that begins with %q", err, says)
		}
	}
}

// TestSpoiltFoldersAreAnError, of the publisher and of who pulls.
func TestSpoiltFoldersAreAnError(t *testing.T) {
	from, id, _ := publishedStore(t, "2026-11-20")
	r := folder(t, nil)
	if _, err := r.Publish(t.Context(), from, id); err != nil {
		t.Fatal(err)
	}
	report := filepath.Join(r.dir, string(id), snapshots.ReportFileName)
	broken := &failingWriter{errors.New("the disk is full")}
	m, _, err := snapshots.ReadManifest(from.SnapshotDir(id))
	to, data := empty(t)
	if err := errors.Join(err, os.MkdirAll(filepath.Join(data, "snapshots", ".adopt-"+string(id), partName, "sub"),
		0o755),
		os.WriteFile(filepath.Join(r.dir, "long"), nil, 0o600), os.Truncate(filepath.Join(r.dir, "long"),
			maxSmall+1)); err != nil {
		t.Fatal(err)
	}
	if _, err := r.read(t.Context(), "long"); err == nil || err.Error() != "read long: 67108865 bytes are too many" {
		t.Errorf("a long file: %v", err)
	}
	if _, err := r.copyTo(t.Context(), key(id, snapshots.ReportFileName), broken, 1<<20); !errors.Is(err, broken.err) ||
		!strings.HasPrefix(err.Error(), "read "+string(id)+"/report.json: ") {
		t.Errorf("a writer that fails: %v", err)
	}
	if err := r.send(t.Context(), t.TempDir(), m, snapshots.ReportFileName, &PublishResult{}); !errors.Is(err,
		fs.ErrNotExist) {
		t.Errorf("a file that is not in the snapshot: %v", err)
	}
	if _, err := r.Pull(t.Context(), to, verified(t)); !errors.Is(err, syscall.EISDIR) {
		t.Errorf("a folder in place of the file that is downloaded: %v", err)
	}
	if err := errors.Join(os.Remove(report), os.MkdirAll(filepath.Join(report, "sub"), 0o755)); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Publish(t.Context(), from, id); err == nil || !strings.HasPrefix(err.Error(),
		"publish "+string(id)+": ") {
		t.Errorf("a folder in place of a file: %v", err)
	}
	if err := os.WriteFile(filepath.Join(r.dir, snapshots.CurrentFileName), []byte("today"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := r.writeCurrent(t.Context(), []byte(string(id)+"\n"), ""); !errors.Is(err, snapshots.ErrInvalidID) {
		t.Errorf("moved from what cannot be read: %v", err)
	}
	if err := os.RemoveAll(r.dir); err != nil {
		t.Fatal(err)
	}
	if err := r.writeCurrent(t.Context(), []byte(string(id)+"\n"), ""); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("moved in a folder that is gone: %v", err)
	}
}

// failingWriter is a writer that always fails.
type failingWriter struct{ err error }

// Write fails.
func (f *failingWriter) Write([]byte) (int, error) { return 0, f.err }

// TestWithdrawalThatCannotBeRepeatedStopsThePull: nothing is pulled past it.
func TestWithdrawalThatCannotBeRepeatedStopsThePull(t *testing.T) {
	from, id, data := publishedStore(t, "2026-11-20")
	r := folder(t, nil)
	if _, err := r.Publish(t.Context(), from, id); err != nil {
		t.Fatal(err)
	}
	note := snapshots.WithdrawnFileName(id)
	if err := r.bucket.WriteAll(context.Background(), note, []byte(`{"by":"A","reason":"x"}`), nil); err != nil {
		t.Fatal(err)
	}
	current := filepath.Join(data, "snapshots", snapshots.CurrentFileName)
	if err := errors.Join(os.Remove(current), os.MkdirAll(filepath.Join(current, "sub"), 0o755)); err != nil {
		t.Fatal(err)
	}
	if got, err := r.Pull(t.Context(), from, verified(t)); !errors.Is(err, syscall.EISDIR) || got.ID != "" ||
		!strings.HasPrefix(err.Error(), "pull: withdraw ") {
		t.Errorf("%+v, %v", got, err)
	}
	if err := os.Truncate(filepath.Join(r.dir, note), maxSmall+1); err != nil {
		t.Fatal(err)
	}
	if got, err := r.Pull(t.Context(), from, verified(t)); err == nil || got.ID != "" ||
		err.Error() != "pull: read "+note+": 67108865 bytes are too many" {
		t.Errorf("a note that is too long: %+v, %v", got, err)
	}
}
