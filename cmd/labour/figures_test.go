package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"labour/cmd/internal/cli"
	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/snapshots/filestest"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

// figuresOf counts the figures about people of a snapshot's content as `labour report figures` does.
func figuresOf(c snaptest.Content) []figuresLine {
	counts := map[figuresLine]*figuresLine{}
	count := func(endpoint, field, place string, status figure.Status) {
		key := figuresLine{Endpoint: endpoint, Field: field, Place: place}
		if counts[key] == nil {
			counts[key] = &figuresLine{Endpoint: endpoint, Field: field, Place: place}
		}
		switch status {
		case figure.StatusNumber:
			counts[key].Numbers++
		case figure.StatusUnderFive:
			counts[key].Under5++
		default:
			counts[key].NotPublished++
		}
	}
	for _, r := range c.People {
		count("skills-unmet", "people_turned_down", r.Place, r.PeopleTurnedDownStatus)
		count("skills-unmet", "hired_with_skill_pct", r.Place, statusOfShare(r.HiredWithSkillPct))
		count("skills-unmet", "turned_down_with_skill_pct", r.Place, statusOfShare(r.TurnedDownWithSkillPct))
	}
	for _, r := range c.Residents {
		count("skills-unmet", "people_below_share_pct", r.Place, statusOfShare(r.PeopleBelowSharePct))
	}
	for _, r := range c.Candidates {
		place := ""
		if r.Dimension == "borough" {
			place = r.Value
		}
		count("candidates", "residents", place, r.ResidentsStatus)
	}
	for _, r := range c.S106People {
		count("s106", "jobs_created", r.Place, r.JobsCreatedStatus)
		count("s106", "apprenticeships_started", r.Place, r.ApprenticeshipsStartedStatus)
		count("s106", "local_people_employed", r.Place, r.LocalPeopleEmployedStatus)
	}
	for _, r := range c.CourseDemand {
		count("course-demand", "value", r.RegionCode, r.ValueStatus)
	}
	return inOrder(counts)
}

// inOrder returns the lines in the order of their endpoints, fields and places.
func inOrder(counts map[figuresLine]*figuresLine) (lines []figuresLine) {
	for _, l := range counts {
		lines = append(lines, *l)
	}
	slices.SortFunc(lines, func(a, b figuresLine) int {
		return cmp.Or(strings.Compare(a.Endpoint, b.Endpoint), strings.Compare(a.Field, b.Field),
			strings.Compare(a.Place, b.Place))
	})
	return lines
}

func statusOfShare(share *figure.Tenths) figure.Status {
	if share == nil {
		return figure.StatusNotPublished
	}
	return figure.StatusNumber
}

// TestFiguresAreCounted compares the report of a snapshot of every table with a count of its rows.
func TestFiguresAreCounted(t *testing.T) {
	content := snaptest.DefaultContent(t, "2026-11-20")
	data := t.TempDir()
	snaptest.BuildSnapshot(t, data, "2026-11-20", content)
	var out bytes.Buffer
	a := &app{stdout: &out}
	if err := a.reportFigures(t.Context(), &listOptions{cli.DataFlag{Data: data}, cli.JSONFlag{JSON: true}},
		nil); err != nil {
		t.Fatal(err)
	}
	var r figuresReport
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	want := figuresOf(content)
	if !slices.Equal(r.Figures, want) {
		t.Errorf("figures are\n%+v, want\n%+v", r.Figures, want)
	}
	var total figuresLine
	for _, l := range want {
		total.Numbers, total.Under5, total.NotPublished = total.Numbers+l.Numbers, total.Under5+l.Under5,
			total.NotPublished+l.NotPublished
	}
	if min(total.Numbers, total.Under5, total.NotPublished) == 0 {
		t.Errorf("the content has not every kind of figure: %+v", total)
	}
}

// TestFiguresNeedWhatTheyCount holds that a table or a report that cannot be read is an error of
// `labour report figures`, and never a snapshot without figures.
func TestFiguresNeedWhatTheyCount(t *testing.T) {
	for _, file := range []string{snapshots.TableFileName("people"), snapshots.ReportFileName,
		snapshots.ManifestFileName} {
		data := t.TempDir()
		id := snaptest.BuildSnapshot(t, data, "2026-11-20", snaptest.DefaultContent(t, "2026-11-20"))
		store, err := store.Open(data)
		if err != nil {
			t.Fatal(err)
		}
		snaptest.MakeRemovable(t, data)
		path := snapshots.JoinPath(store.SnapshotDir(id), file)
		if err := errors.Join(os.Remove(path), os.WriteFile(path, []byte("{"), 0o600)); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		a := &app{stdout: &out}
		err = a.reportFigures(t.Context(), &listOptions{cli.DataFlag{Data: data}, cli.JSONFlag{JSON: true}}, nil)
		if err == nil || out.Len() > 0 {
			t.Errorf("%s is broken: %v, printed %q", file, err, out.String())
		}
	}
}

// TestCountedFiguresAreClosed: the report of figures closes its database.
func TestCountedFiguresAreClosed(t *testing.T) {
	data := t.TempDir()
	id := snaptest.BuildSnapshot(t, data, "2026-11-20", snaptest.DefaultContent(t, "2026-11-20"))
	store, err := store.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	filestest.CheckFilesClosed(t, map[string]func() error{
		"figures": func() error { _, err := countFigures(t.Context(), store.SnapshotDir(id)); return err },
	})
}
