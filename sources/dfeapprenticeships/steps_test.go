package dfeapprenticeships

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"labour/sources"
)

// publisher gives the texts of objects by the ends of their names, and notes what is asked and what
// is left open.
type publisher struct {
	sources.Fetcher
	texts  map[string]string
	err    map[string]error
	asked  []sources.Request
	opened int
}

func (p *publisher) Get(_ context.Context, r sources.Request) (sources.ArchivedObject, error) {
	p.asked = append(p.asked, r)
	return sources.ArchivedObject{Name: r.Name}, p.err[r.Name]
}

func (p *publisher) Open(o sources.ArchivedObject) (sources.Body, error) {
	p.opened++
	return &closing{strings.NewReader(p.texts[o.Name]), p}, p.err["open "+o.Name]
}

type closing struct {
	io.Reader
	from *publisher
}

func (c *closing) Close() error {
	c.from.opened--
	return nil
}

// TestStepsOfADataSet: its description, then the file of the version that the description states. A
// step that fails ends them, and every file that was opened is closed.
func TestStepsOfADataSet(t *testing.T) {
	const description, table = startsID + "/data-set.json", startsID + "/data.csv"
	const good = `{"title":"A","status":"Published","latestVersion":{"version":"1.0 b"}}`
	broken := errors.New("broken line")
	for name, c := range map[string]struct {
		description string
		csv         string
		fails       string // the step with a broken line
		asked       []string
		says        string // empty = no error
	}{
		"good": {good, head + nationalRow("Total", "Total", "100"), "", []string{description, table}, ""},
		"one bad row in many": {good, head + strings.Repeat(nationalRow("Total", "Total", "100"), 20) +
			nationalRow("Total", "Total", "?"), "", []string{description, table}, ""},
		"no JSON":         {"<html>", head, "", []string{description}, "read the description of the data set: "},
		"no description":  {good, head, description, []string{description}, "broken line"},
		"a withdrawn set": {`{"status":"Withdrawn"}`, head, "", []string{description}, "has withdrawn the data set"},
		"no file":         {good, head, table, []string{description, table}, "broken line"},
		"a file not kept": {good, head, "open " + table, []string{description, table},
			"open " + table + ": broken line"},
		"another table":       {good, "<html>", "", []string{description, table}, "version 1.0 b: "},
		"a file without rows": {good, "", "", []string{description, table}, "version 1.0 b: the file is empty"},
	} {
		p := &publisher{texts: map[string]string{description: c.description, table: c.csv},
			err: map[string]error{c.fails: broken}}
		s := newSource(t, "https://example.org", startsSet)
		err := s.fetch(t.Context(), p, s.cfg.DataSets[0])
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
		var asked []string
		for _, r := range p.asked {
			asked = append(asked, r.Name)
		}
		left := 0
		if strings.HasPrefix(c.fails, "open") {
			left = 1 // what cannot be opened need not be closed
		}
		if !slices.Equal(asked, c.asked) || p.opened != left {
			t.Errorf("%s: asked for %v and left %d open, want %v", name, asked, p.opened, c.asked)
		}
	}
	p := &publisher{texts: map[string]string{description: good, table: head + nationalRow("Total", "Total", "100")}}
	s := newSource(t, "https://example.org", startsSet)
	if err := s.fetch(t.Context(), p, s.cfg.DataSets[0]); err != nil {
		t.Fatal(err)
	}
	const address = "https://example.org/data-sets/" + startsID
	if a := p.asked[0]; a.URL != address || a.MaxBytes != 4<<20 || a.Header["Accept"] != "application/json" {
		t.Errorf("the description is asked as %+v", a)
	}
	if a := p.asked[1]; a.URL != address+"/csv?dataSetVersion=1.0+b" || a.MaxBytes != 2<<30 {
		t.Errorf("the file is asked as %+v", a)
	}
}

// TestBrokenHeaderRefusesTheFile, with the line at which it is broken.
func TestBrokenHeaderRefusesTheFile(t *testing.T) {
	rows, faults := scanAll(t, "time_period,geo\"graphic_level\n"+nationalRow("Total", "Total", "1"), startsSet)
	if len(rows) != 0 || len(faults) != 1 || !strings.HasPrefix(faults[0], "broken_row line 1") {
		t.Errorf("%d rows, %q", len(rows), faults)
	}
}
