package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"testing"

	"labour/cmd/internal/cli"
)

// TestFiguresOfFormatVersion1 counts those of a snapshot that an earlier version made.
func TestFiguresOfFormatVersion1(t *testing.T) {
	var out bytes.Buffer
	a := &app{stdout: &out}
	if err := a.reportFigures(t.Context(), &listOptions{cli.DataFlag{Data: filepath.Join("..", "..", "snapshots", "testdata", "v1")}, cli.JSONFlag{JSON: true}}, nil); err != nil {
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
	for _, field := range []string{"people_turned_down", "people_below_share_pct", "local_people_employed", "residents"} {
		if fields[field] == 0 {
			t.Errorf("no figure of %s: %v", field, fields)
		}
	}
}
