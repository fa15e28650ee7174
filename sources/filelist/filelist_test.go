package filelist_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"labour/sources"
	"labour/sources/filelist"
)

type entry struct{ id, kind string }

func check(list []entry) error {
	return filelist.CheckEntries("files", list, func(e entry) string { return e.id }, func(e *entry) error {
		if e.kind == "" {
			e.kind = "usual"
		}
		if e.id == "" {
			return errors.New("id is missing")
		}
		return nil
	})
}

func TestCheckEntries(t *testing.T) {
	for _, c := range []struct {
		list  []entry
		parts []string // of the error; none = right
	}{
		{nil, []string{"files is empty"}},
		{[]entry{{id: "a"}, {id: "b"}}, nil},
		{[]entry{{id: "a"}, {}, {id: "a"}}, []string{"files[1]: id is missing", "files[2]: a is named twice"}},
	} {
		err := check(c.list)
		if (err == nil) != (len(c.parts) == 0) {
			t.Errorf("%v: %v", c.list, err)
		}
		for _, part := range c.parts {
			if !strings.Contains(fmt.Sprint(err), part) {
				t.Errorf("%v: %v does not say %q", c.list, err, part)
			}
		}
		for _, e := range c.list {
			if e.kind != "usual" {
				t.Errorf("%v: the default of %q was not filled in", c.list, e.id)
			}
		}
	}
}

// TestFetch: one that fails leaves the others; only when nothing is had, or the
// context ends, the whole has failed.
func TestFetch(t *testing.T) {
	var had []string
	fetch := func(failing ...string) func(string) error {
		had = nil
		return func(name string) error {
			for _, f := range failing {
				if f == name {
					return fmt.Errorf("%s is gone", name)
				}
			}
			had = append(had, name)
			return nil
		}
	}
	list, name := []string{"a", "b", "c"}, func(e string) string { return e }
	var f failed
	if err := filelist.FetchEntries(t.Context(), &f, "files", list, name, fetch("a")); err != nil ||
		strings.Join(had, "") != "bc" || strings.Join(f.parts, "") != "a" {
		t.Errorf("one of three failed: %v, had %v", err, had)
	}
	if err := filelist.FetchEntries(t.Context(), &f, "files", list, name, fetch("a", "b", "c")); err == nil ||
		!strings.Contains(err.Error(), "3 parts failed; the first: a is gone") {
		t.Errorf("all failed: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := filelist.FetchEntries(ctx, &f, "files", list, name, fetch()); !errors.Is(err, context.Canceled) ||
		len(had) != 1 {
		t.Errorf("cancelled: %v, had %v", err, had)
	}
}

// failed notes the parts that could not be fetched.
type failed struct {
	sources.Fetcher
	parts []string
}

func (f *failed) MarkFailed(part string, _ error) { f.parts = append(f.parts, part) }

// A file without a usable row is refused, with the rows and the reasons. A file is also refused if more
// than one row in twenty cannot be read.
func TestFileThatHoldsNothing(t *testing.T) {
	rows := sources.Fault{Where: "row 2", Code: sources.FaultBadValue, Detail: "no number"}
	files := filelist.Files[string]{SourceInfo: sources.Info{Key: "s"}, ConfigField: "files",
		Entries:   []string{"a", "b", "c"},
		RequestOf: func(e string) sources.Request { return sources.Request{Name: e} },
		ParseFile: func(_ context.Context, text []byte, e string) (filelist.ParsedFile, error) {
			if e == "b" {
				return filelist.ParsedFile{Records: slices.Repeat([]sources.Record{sources.Area{Code: string(text)}}, 19),
					Faults: []sources.Fault{rows}}, nil
			}
			if e == "c" {
				return filelist.ParsedFile{Records: slices.Repeat([]sources.Record{sources.Area{Code: string(text)}}, 18),
					Faults: []sources.Fault{rows}}, nil
			}
			return filelist.ParsedFile{Faults: []sources.Fault{rows}}, nil
		}}
	x := sources.Extract{Source: "s", Objects: []sources.ArchivedObject{{Name: "a"}, {Name: "b"}, {Name: "c"}}}
	var got collected
	if err := files.Read(context.Background(), x, bodies("text"), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.records) != 19 || len(got.faults) != 3 {
		t.Fatalf("%+v", got)
	}
	if f := got.faults[0]; f.Code != sources.FaultSuddenlyEmpty || f.Object != "a" || f.Source != "s" ||
		!strings.Contains(f.Detail, "row 2: no number") {
		t.Errorf("%+v", f)
	}
	if f := got.faults[2]; f.Object != "c" || f.Code != sources.FaultSchema ||
		!strings.Contains(f.Detail, "1 of 19 rows cannot be read") {
		t.Errorf("%+v", f)
	}
	if f := got.faults[1]; f.Object != "b" || f.Source != "s" || f.Where != "row 2" {
		t.Errorf("%+v", f)
	}
}

type collected struct {
	records []sources.Record
	faults  []sources.Fault
}

func (c *collected) Emit(r sources.Record) error { c.records = append(c.records, r); return nil }
func (c *collected) Fault(f sources.Fault)       { c.faults = append(c.faults, f) }

type bodies string

func (b bodies) Open(sources.ArchivedObject) (sources.Body, error) {
	return io.NopCloser(strings.NewReader(string(b))), nil
}
