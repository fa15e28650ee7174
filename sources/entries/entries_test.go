package entries_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"labour/sources/entries"
)

type entry struct{ id, kind string }

func check(list []entry) error {
	return entries.Check("files", list, func(e entry) string { return e.id }, func(e *entry) error {
		if e.kind == "" {
			e.kind = "usual"
		}
		if e.id == "" {
			return errors.New("id is missing")
		}
		return nil
	})
}

func TestCheck(t *testing.T) {
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
	list := []string{"a", "b", "c"}
	if err := entries.Fetch(t.Context(), "files", list, fetch("a")); err != nil || strings.Join(had, "") != "bc" {
		t.Errorf("one of three failed: %v, had %v", err, had)
	}
	if err := entries.Fetch(t.Context(), "files", list, fetch("a", "b", "c")); err == nil || !strings.Contains(err.Error(), "c is gone") {
		t.Errorf("all failed: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := entries.Fetch(ctx, "files", list, fetch()); !errors.Is(err, context.Canceled) || len(had) != 1 {
		t.Errorf("cancelled: %v, had %v", err, had)
	}
}
