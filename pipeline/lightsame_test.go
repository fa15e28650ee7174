package pipeline

import (
	"slices"
	"testing"

	"labour/pipeline/rebuild"
	"labour/pipeline/verify"
	"labour/snapshots/snaptest"
)

// TestLightSnapshotOfTheSameFeed: tables without a change are the same bytes as before, and such a
// snapshot is sound and can be made again.
func TestLightSnapshotOfTheSameFeed(t *testing.T) {
	s := newSmall(t)
	snaptest.MakeRemovable(t, s.data)
	s.change(1)
	whole, err := s.runOnly("")
	if err != nil {
		t.Fatal(err)
	}
	s.light()
	last := s.light()
	before, after := s.manifest(whole), s.manifest(last)
	for _, f := range after.Tables {
		was, _ := before.Table(f.Name)
		if was.SHA256 != f.SHA256 && f.Name != "events" && f.Name != "freshness" {
			t.Errorf("table %s has other bytes", f.Name)
		}
	}
	report, err := verify.VerifyDir(t.Context(), s.store().SnapshotDir(last.ID), verify.Options{})
	if err != nil || !report.HasNoFaults() {
		t.Errorf("verify: %v, %v", err, report.Err())
	}
	tables, err := Rebuild(t.Context(), *s.last, last.ID)
	if err != nil || slices.ContainsFunc(tables, func(r rebuild.Result) bool { return !r.Equal() }) {
		t.Errorf("rebuilt: %v, %v", err, tables)
	}
}
