package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"testing"

	"labour/cmd/internal/cli"
	"labour/snapshots"
	"labour/snapshots/filestest"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

// TestFiguresAreCounted counts those of a snapshot of every table.
func TestFiguresAreCounted(t *testing.T) {
	var out bytes.Buffer
	data := t.TempDir()
	snaptest.BuildSnapshot(t, data, "2026-11-20", snaptest.DefaultContent(t, "2026-11-20"))
	a := &app{stdout: &out}
	if err := a.reportFigures(t.Context(), &listOptions{cli.DataFlag{Data: data}, cli.JSONFlag{JSON: true}},
		nil); err != nil {
		t.Fatal(err)
	}
	var r figuresReport
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	fields := map[string]int64{}
	for _, l := range r.Figures {
		fields[l.Field] += l.Numbers + l.Under5 + l.NotPublished
	}
	for _, field := range []string{"people_turned_down", "people_below_share_pct", "local_people_employed",
		"jobs_created", "residents"} {
		if fields[field] == 0 {
			t.Errorf("no figure of %s: %v", field, fields)
		}
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
