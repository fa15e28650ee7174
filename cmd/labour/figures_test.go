package main

import (
	"bytes"
	"encoding/json"
	"testing"

	"labour/cmd/internal/cli"
	"labour/snapshots/snaptest"
)

// TestFiguresAreCounted counts those of a snapshot of every table.
func TestFiguresAreCounted(t *testing.T) {
	var out bytes.Buffer
	data := t.TempDir()
	snaptest.Build(t, data, "2026-11-20", snaptest.Default(t, "2026-11-20"))
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
