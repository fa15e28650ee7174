package engine

import (
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"gocloud.dev/blob/memblob"

	"labour/pipeline/cells/engine/sparkconnect/connecttest"
)

// scripted is a server that notes the files and queries of every statement, writes one file where a
// statement writes rows, and fails at a query with the word FAULT.
type scripted struct {
	asked []string
}

var (
	addresses = regexp.MustCompile(`file://[^\x00-\x1f"]*/labour-[0-9a-f-]+/([a-z]+/[a-z0-9.]+)`)
	queries   = regexp.MustCompile(`SELECT [A-Za-z ]+`)
)

// statement notes a statement, and does what it asks for.
func (s *scripted) statement(text string) error {
	address, query := addresses.FindStringSubmatch(text), queries.FindString(text)
	if strings.Contains(query, "FAULT") {
		return errors.New("broken statement")
	}
	if address == nil {
		s.asked = append(s.asked, query)
		return nil
	}
	s.asked = append(s.asked, strings.TrimSpace(query+" "+address[1]))
	if query == "" { // a view of files
		return nil
	}
	file := filepath.Join(strings.TrimPrefix(address[0], "file://"), "part.parquet")
	return errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(query), 0o600))
}

// TestStatementsOfASession: what is staged, kept and answered goes through the work directory, and nothing
// of it is left at the end.
func TestStatementsOfASession(t *testing.T) {
	script := &scripted{}
	c := cluster(t, connecttest.StartScriptedServer(t, script.statement))
	s := c.connect(t)
	file, to := filepath.Join(t.TempDir(), "rows"), filepath.Join(t.TempDir(), "to")
	if err := os.WriteFile(file, []byte("PAR1"), 0o600); err != nil {
		t.Fatal(err)
	}
	work := string(s.folder.(directory))
	for _, err := range []error{s.Read(t.Context(), "advert", file), s.CreateView(t.Context(), "v",
		"SELECT a FROM advert"),
		s.Materialise(t.Context(), "kept", "SELECT b FROM v"), s.Write(t.Context(), "SELECT c FROM kept", to+"1"),
		s.Write(t.Context(), "SELECT d FROM kept", to+"2")} {
		if err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"staged/advert.parquet", "SELECT a FROM advert", "SELECT b FROM v kept/kept", "kept/kept",
		"SELECT c FROM kept answers/1", "SELECT d FROM kept answers/2"}
	if !slices.Equal(script.asked, want) {
		t.Errorf("asked %q, want %q", script.asked, want)
	}
	for path, want := range map[string]string{work + "/staged/advert.parquet": "PAR1",
		work + "/kept/kept/part.parquet": "SELECT b FROM v", to + "1/part.parquet": "SELECT c FROM kept",
		to + "2/part.parquet": "SELECT d FROM kept"} {
		if got, err := os.ReadFile(path); string(got) != want || err != nil {
			t.Errorf("%s has %q, %v; want %q", path, got, err, want)
		}
	}
	if left, err := os.ReadDir(work + "/answers"); len(left) > 0 || err != nil {
		t.Errorf("answers that were copied are left: %v, %v", left, err)
	}
	script.asked = nil
	for name, err := range map[string]error{"view": s.CreateView(t.Context(), "v", "SELECT FAULT"),
		"kept": s.Materialise(t.Context(), "kept", "SELECT FAULT"), "answer": s.Write(t.Context(), "SELECT FAULT",
			to+"3")} {
		if err == nil || !strings.Contains(err.Error(), "broken statement") || len(script.asked) > 0 {
			t.Errorf("%s: %v after %q", name, err, script.asked)
		}
	}
	if err := s.Write(t.Context(), "SELECT c FROM kept", to+"1"); !errors.Is(err, fs.ErrExist) ||
		!strings.HasPrefix(err.Error(), "copy the answer from the work directory: ") {
		t.Errorf("an answer over another: %v", err)
	}
	if err := s.Read(t.Context(), "none", file+".none"); !errors.Is(err, fs.ErrNotExist) ||
		!strings.HasPrefix(err.Error(), "copy it to the work directory: ") {
		t.Errorf("a file that is not there: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	c.nothingLeft(t)
}

// TestFoldersInBuckets are named by the session, behind the path of the address.
func TestFoldersInBuckets(t *testing.T) {
	for work, want := range map[string]string{"s3://bucket/a/prefix/?region=x": "s3a://bucket/a/prefix/labour-7/rows",
		"s3://bucket?region=x": "s3a://bucket/labour-7/rows"} {
		f, err := openFolder(t.Context(), onCluster{Session: "7", WorkFolder: work})
		if err != nil {
			t.Fatal(err)
		}
		if got := f.url("rows"); got != want {
			t.Errorf("%s: %s, want %s", work, got, want)
		}
		if err := f.close(); err != nil {
			t.Error(err)
		}
	}
	t.Setenv("AWS_ACCESS_KEY_ID", "key")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, q *http.Request) {
		asked = append(asked, q.Method+" "+q.URL.Path)
	}))
	defer server.Close()
	f, err := openFolder(t.Context(), onCluster{Session: "7",
		WorkFolder: "s3://bucket/a/prefix?region=x&use_path_style=true&endpoint=" + server.URL})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := errors.Join(os.WriteFile(file, []byte("PAR1"), 0o600), f.put(t.Context(), "staged/x", file),
		f.close()); err != nil || !slices.Equal(asked, []string{"PUT /bucket/a/prefix/labour-7/staged/x"}) {
		t.Errorf("a file is sent as %q, %v", asked, err)
	}
	if f, err := openFolder(t.Context(), onCluster{WorkFolder: "https://bucket"}); f != nil || err == nil {
		t.Errorf("another scheme: %v, %v", f, err)
	}
}

// TestFilesThatCannotBeExchanged are errors, of a shared folder and of a bucket.
func TestFilesThatCannotBeExchanged(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	work := filepath.Join(dir, "work")
	if err := errors.Join(os.WriteFile(file, nil, 0o600), os.Mkdir(work, 0o700), os.WriteFile(work+"/staged", nil,
		0o600)); err != nil {
		t.Fatal(err)
	}
	gone, shared := directory(filepath.Join(dir, "none", "labour-7")), directory(work)
	closed := bucket{Bucket: memblob.OpenBucket(nil), key: "labour-7/"}
	open := bucket{Bucket: memblob.OpenBucket(nil), key: "labour-7/"}
	if err := errors.Join(closed.close(), open.put(t.Context(), "a.parquet", file)); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		err error
		is  error // nil = any
	}{
		"put without a work directory": {gone.put(t.Context(), "staged/x", file), fs.ErrNotExist},
		"put below a file":             {shared.put(t.Context(), "staged/x", file), syscall.ENOTDIR},
		"make below a file":            {directory(work + "/staged/labour-7").make(true), nil},
		"put in a closed bucket":       {closed.put(t.Context(), "x", file), nil},
		"put of no file":               {open.put(t.Context(), "x", file+".none"), fs.ErrNotExist},
		"get from a closed bucket":     {closed.get(t.Context(), "", filepath.Join(dir, "to")), nil},
		"get to below a file":          {open.get(t.Context(), "", file+"/to"), syscall.ENOTDIR},
		"remove from a closed bucket":  {closed.remove(t.Context(), ""), nil},
	} {
		if c.err == nil || c.is != nil && !errors.Is(c.err, c.is) {
			t.Errorf("%s: %v, want %v", name, c.err, c.is)
		}
	}
	empty := filepath.Join(dir, "empty")
	if err := open.get(t.Context(), "none", empty); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(empty); err != nil || len(left) > 0 {
		t.Errorf("an answer without rows has %v, %v", left, err)
	}
	if err := open.close(); err != nil {
		t.Error(err)
	}
}

// A run does not begin if the folder for its files cannot be opened, or its session cannot be noted for
// the next run. It leaves nothing.
func TestClusterWithoutAFolderOrNote(t *testing.T) {
	c := cluster(t, connecttest.StartScriptedServer(t, func(string) error { return nil }))
	work := c.WorkFolder
	c.WorkFolder = "s3://bucket?unknown=option"
	if s, err := ConnectCluster(t.Context(), c); s != nil || err == nil {
		t.Errorf("a bucket with an unknown option: %v, %v", s, err)
	}
	c.WorkFolder = work
	c.nothingLeft(t)
	c.SessionFile = filepath.Join(t.TempDir(), "none", "cluster.json")
	var where *fs.PathError
	if s, err := ConnectCluster(t.Context(), c); s != nil || !errors.As(err, &where) || where.Op != "open" {
		t.Errorf("a note that cannot be written: %v, %v", s, err)
	}
	c.nothingLeft(t)
}

// A run that cannot begin on a cluster leaves nothing there and no note, and a note that cannot be
// read is an error.
func TestSessionsThatCannotBegin(t *testing.T) {
	c := cluster(t, "sc://127.0.0.1:1")
	if err := c.EndOrphanedSession(t.Context()); err != nil {
		t.Errorf("without an earlier run: %v", err)
	}
	bad := c
	bad.WorkFolder = "relative"
	s, err := ConnectCluster(t.Context(), bad)
	if s != nil || err == nil || !strings.HasPrefix(err.Error(), "engine.work ") {
		t.Errorf("a relative directory: %v, %v", s, err)
	}
	if err := os.Chmod(c.WorkFolder, 0o701); err != nil {
		t.Fatal(err)
	}
	s, err = ConnectCluster(t.Context(), c)
	if s != nil || err == nil || !strings.Contains(err.Error(), "allow_open_work") {
		t.Errorf("an open directory: %v, %v", s, err)
	}
	c.nothingLeft(t)
	if err := os.WriteFile(c.SessionFile, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{"EndOrphanedSession": c.EndOrphanedSession(t.Context()),
		"ConnectCluster": func() error { _, err := ConnectCluster(t.Context(), c); return err }()} {
		if err == nil || !strings.HasPrefix(err.Error(), "read what an earlier run left on the cluster: ") {
			t.Errorf("%s with a damaged note: %v", name, err)
		}
	}
	missing := c
	missing.SessionFile = filepath.Join(c.WorkFolder, "none", "note")
	if s, err := ConnectCluster(t.Context(), missing); s != nil || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a note that cannot be written: %v, %v", s, err)
	}
}

// The files of a killed run are removed although its server is gone. For files that cannot be removed
// there is an error with their path.
func TestAnEarlierRunOfALostServer(t *testing.T) {
	c := cluster(t, "sc://127.0.0.1:1")
	folder := filepath.Join(c.WorkFolder, "labour-7")
	note := func(work string) {
		text := `{"connect":"sc://127.0.0.1:1","session":"7","work":"` + work + `"}`
		if err := os.WriteFile(c.SessionFile, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	note(c.WorkFolder)
	if err := os.MkdirAll(filepath.Join(folder, "kept"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := c.EndOrphanedSession(t.Context()); err != nil {
		t.Errorf("a server that is gone: %v", err)
	}
	c.nothingLeft(t)
	note("s3://%zz")
	want := "remove what an earlier run left in s3://%zz; remove the folder labour-7 there yourself, then the file " +
		c.SessionFile + ": engine.work: "
	if err := c.EndOrphanedSession(t.Context()); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
	if _, err := os.Stat(c.SessionFile); err != nil {
		t.Errorf("the note is gone: %v", err)
	}
	s := &Spark{folder: directory(folder)}
	err := s.Read(t.Context(), "rows", filepath.Join(c.WorkFolder, "none.parquet"))
	if !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(err.Error(), "copy it to the work directory: ") {
		t.Errorf("a file that is not there: %v", err)
	}
}
