package filelist_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"labour/sources"
	"labour/sources/filelist"
)

// listOf is a list of files whose text lists what is in it: "+" a record, "-" a row that is passed
// over, "x" a row that cannot be read; "!" cannot be parsed at all.
func listOf(sparse bool, entries ...string) filelist.Files[string] {
	return filelist.Files[string]{SourceInfo: sources.Info{Key: "s"}, ConfigField: "files", Entries: entries,
		MayBeEmpty: sparse,
		RequestOf:  func(e string) sources.Request { return sources.Request{Name: e, URL: "https://example.org/" + e} },
		ParseFile: func(_ context.Context, text []byte, _ string) (p filelist.ParsedFile, err error) {
			for i, c := range string(text) {
				switch c {
				case '+':
					p.Records = append(p.Records, sources.Area{Code: fmt.Sprint(i)})
				case '-':
					p.AddFault(fmt.Sprint("row ", i), sources.FaultSuddenlyEmpty, "nothing in %d", i)
				case 'x':
					p.AddFault(fmt.Sprint("row ", i), sources.FaultBrokenRow, "broken")
				case '!':
					return p, sources.CodedErrorf(sources.FaultSchema, "no table")
				}
			}
			return p, nil
		}}
}

// TestConfiguredFilesAreChecked: each has an address, and an id that can name a file.
func TestConfiguredFilesAreChecked(t *testing.T) {
	long := strings.Repeat("a", 64)
	for id, ok := range map[string]bool{"a": true, "9-b": true, long: true, long + "a": false, "": false, "-a": false,
		"A": false, "a_b": false, "a/b": false} {
		src, err := listOf(false, id).NewSource(func(*string) error { return nil })
		if (err == nil) != ok || (src == nil) == ok || err != nil && !strings.HasPrefix(err.Error(),
			"configure s: files[0]: id ") {
			t.Errorf("the id %q: %v", id, err)
		}
	}
	list := listOf(false, "a")
	list.RequestOf = func(e string) sources.Request { return sources.Request{Name: e, URL: "ftp://example.org"} }
	if _, err := list.NewSource(func(*string) error { return nil }); err == nil ||
		!strings.Contains(err.Error(), `url "ftp://example.org" must be an http(s) or file address`) {
		t.Errorf("another address: %v", err)
	}
	wrong := errors.New("wrong kind")
	entries := []string{"a"}
	list = listOf(false, entries...)
	if _, err := list.NewSource(func(e *string) error { *e = "b"; return wrong }); !errors.Is(err, wrong) {
		t.Errorf("what the caller checks: %v", err)
	}
	src, err := list.NewSource(func(e *string) error { *e = "b"; return nil })
	if err != nil || list.Entries[0] != "a" || src.(filelist.Files[string]).Entries[0] != "b" || src.Info().Key != "s" {
		t.Errorf("the caller's list is changed, or the default is not filled in: %v, %v, %v", list.Entries, src, err)
	}
}

// TestFilesAreRead: rows in twenty that cannot be read, none at all, and faults that name their rows.
func TestFilesAreRead(t *testing.T) {
	for name, c := range map[string]struct {
		text            string
		sparse          bool
		records, faults int
		says            string // of the first fault
	}{
		"records and a row passed over": {"+-+", false, 2, 1, "nothing in 1"},
		"most rows passed over":         {"+----", false, 1, 4, "nothing in 1"},
		"a row that cannot be read":     {"+x", false, 0, 1, "1 of 2 rows cannot be read"},
		"nothing":                       {"", false, 0, 1, "the file holds nothing that can be used"},
		"nothing, and that may be":      {"", true, 0, 0, ""},
		"unreadable, and that may be":   {"x", true, 0, 1, "broken"},
		"no table":                      {"!", true, 0, 1, "no table"},
		"many rows passed over": {"------", false, 0, 1, "the file holds nothing that can be used; row 0: nothing in 0; " +
			"row 1: nothing in 1; row 2: nothing in 2; row 3: nothing in 3; row 4: nothing in 4"},
	} {
		var got collected
		x := sources.Extract{Source: "s", Objects: []sources.ArchivedObject{{Name: "a"}}}
		err := listOf(c.sparse, "b", "a").Read(t.Context(), x, bodies(c.text), &got)
		if err != nil || len(got.records) != c.records || len(got.faults) != c.faults {
			t.Errorf("%s: %+v, %v; want %d records and %d faults", name, got, err, c.records, c.faults)
			continue
		}
		if c.faults > 0 && (!strings.HasPrefix(got.faults[0].Detail, c.says) || got.faults[0].Object != "a" ||
			got.faults[0].Source != "s") {
			t.Errorf("%s: %+v, want %s", name, got.faults[0], c.says)
		}
		if c.faults > 0 && strings.Contains(got.faults[0].Detail, "row 5") {
			t.Errorf("%s: %s names more than five rows", name, got.faults[0].Detail)
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	var got collected
	if err := listOf(false, "a").Read(ended, sources.Extract{Objects: []sources.ArchivedObject{{Name: "a"}}}, bodies("+"),
		&got); !errors.Is(err,
		context.Canceled) || len(got.records) > 0 {
		t.Errorf("an ended context: %v, %+v", err, got)
	}
	full := errors.New("full")
	if err := listOf(false, "a").Read(t.Context(), sources.Extract{Objects: []sources.ArchivedObject{{Name: "a"}}},
		bodies("+"),
		refusing{full}); !errors.Is(err, full) {
		t.Errorf("a record that is refused: %v", err)
	}
}

type refusing struct{ err error }

func (r refusing) Emit(sources.Record) error { return r.err }
func (refusing) Fault(sources.Fault)         {}

// getting gives each request's address as the object.
type getting struct {
	failed
	bodies
	err error
}

func (g *getting) Get(_ context.Context, r sources.Request) (sources.ArchivedObject, error) {
	return sources.ArchivedObject{Name: r.Name}, g.err
}
func (g *getting) Open(o sources.ArchivedObject) (sources.Body, error) { return g.bodies.Open(o) }

// TestFilesThatCannotBeUsedAreFailed, so that the last good one of that file is used.
func TestFilesThatCannotBeUsedAreFailed(t *testing.T) {
	gone := errors.New("gone")
	for name, c := range map[string]struct {
		text string
		err  error
		want string
	}{"good": {"+", nil, ""}, "empty": {"", nil, "a"}, "gone": {"+", gone, "a"}} {
		g := &getting{bodies: bodies(c.text), err: c.err}
		err := listOf(false, "a").Fetch(t.Context(), g)
		if strings.Join(g.parts, "") != c.want || (err == nil) != (c.want == "") {
			t.Errorf("%s: failed are %v, %v", name, g.parts, err)
		}
	}
}
