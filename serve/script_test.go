package serve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"labour/serve/cursor"
	"labour/serve/partners/access"
)

// zeros makes every request id the same.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

// Each file of testdata holds requests and, after each, the whole response. A
// request is a line "METHOD target", lines of headers and, after an empty line, a
// body; a valid key is sent unless it has "Authorization: none". A script whose
// comment asks for it has a key with every scope. -update rewrites the responses.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d scripts, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { runScript(t, file) })
	}
}

func runScript(t *testing.T, file string) {
	script, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	fixed, err := cursor.NewSealer(strings.Repeat("0f", 32))
	if err != nil {
		t.Fatal(err)
	}
	s := newService(t, func(o *Options) { o.RandomSource, o.Cursors = zeros{}, fixed })
	if bytes.Contains(script.Comment, []byte("every scope")) {
		s.grant(t, access.Scopes()...)
	}
	got := &txtar.Archive{Comment: script.Comment}
	for _, f := range script.Files {
		if f.Name != "request" {
			continue
		}
		got.Files = append(got.Files, f, txtar.File{Name: "response", Data: answerTo(t, s, string(f.Data))})
	}
	if *update {
		if err := os.WriteFile(file, txtar.Format(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(txtar.Format(script)), string(txtar.Format(got))); diff != "" {
		t.Error(diff)
	}
}

func answerTo(t *testing.T, s *service, request string) []byte {
	t.Helper()
	head, body, _ := strings.Cut(request, "\n\n")
	lines := strings.Split(strings.TrimSpace(head), "\n")
	method, target, ok := strings.Cut(lines[0], " ")
	if !ok {
		t.Fatalf("request %q", request)
	}
	headers := []string{"Authorization", "Bearer " + s.secret}
	for _, l := range lines[1:] {
		name, value, _ := strings.Cut(l, ": ")
		if value == "none" {
			value = ""
		}
		headers = append(headers, name, value)
	}
	return show(s.send(t, method, target, strings.TrimSpace(body), headers...))
}

// show writes a response for people: headers sorted, JSON indented but otherwise
// as it was sent.
func show(res result) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%d %s\n", res.status, http.StatusText(res.status))
	var names []string
	for name := range res.header {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		spelling, ok := spellings[name]
		if !ok {
			spelling = name
		}
		fmt.Fprintf(&b, "%s: %s\n", spelling, strings.Join(res.header[name], ", "))
	}
	if len(res.body) > 0 {
		b.WriteByte('\n')
		if json.Indent(&b, res.body, "", "  ") != nil {
			b.Write(res.body)
		}
	}
	return b.Bytes()
}
