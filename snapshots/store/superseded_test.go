package store

import (
	"context"
	"os"
	"testing"
	"time"

	"labour/snapshots"
)

func TestSupersededIsKnownAfterGoingBack(t *testing.T) {
	s, ctx := openStore(t, t.TempDir()), context.Background()
	first, second, third := sealOne(t, s, "a"), sealOne(t, s, "b"), sealOne(t, s, "c")
	for _, step := range [][2]snapshots.ID{{first, ""}, {second, first}, {first, second}} {
		if err := s.Promote(ctx, step[0], step[1]); err != nil {
			t.Fatal(err)
		}
	}
	long := asOfTest.AddDate(-1, 0, 0)
	if err := os.Chtimes(s.supersededFile(second), long, long); err != nil {
		t.Fatal(err)
	}
	at, err := s.SupersededTimes(ctx)
	if err != nil || len(at) != 1 || !at[second].Equal(long) {
		t.Fatalf("superseded: %v, %v; want %s alone (%s is current, %s never was)", at, err, second, first, third)
	}
	if err := s.Remove(ctx, second); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(s.supersededFile(second)); !os.IsNotExist(err) {
		t.Errorf("the note of a removed snapshot is still there: %v", err)
	}
}

// TestSupersededWithoutNotes: snapshots that were promoted before notes were kept.
func TestSupersededWithoutNotes(t *testing.T) {
	s, ctx := openStore(t, t.TempDir()), context.Background()
	var ids []snapshots.ID
	expect := snapshots.ID("")
	for _, content := range []string{"a", "b", "c"} {
		id := sealOne(t, s, content)
		if err := s.Promote(ctx, id, expect); err != nil {
			t.Fatal(err)
		}
		ids, expect = append(ids, id), id
	}
	for _, id := range ids {
		if err := os.RemoveAll(s.supersededFile(id)); err != nil {
			t.Fatal(err)
		}
	}
	moved := asOfTest.Add(99 * time.Hour)
	if err := os.Chtimes(s.root+"/"+snapshots.CurrentFileName, moved, moved); err != nil {
		t.Fatal(err)
	}
	m, err := s.Manifest(ids[1])
	if err != nil {
		t.Fatal(err)
	}
	at, err := s.SupersededTimes(ctx)
	if err != nil || len(at) != 2 || !at[ids[0]].Equal(m.CreatedAt) || !at[ids[1]].Equal(moved) {
		t.Errorf("superseded: %v, %v", at, err)
	}
}
