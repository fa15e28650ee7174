package web

import (
	"errors"
	"testing"

	lru "github.com/hashicorp/golang-lru/v2"

	"labour/serve/web/changed"
	"labour/snapshots"
)

// A list that is being read keeps nobody from another one, and a fault is not kept.
func TestChangeListsWaitForNoOther(t *testing.T) {
	lists, err := lru.New[snapshots.ID, func() (*changed.Summary, error)](maxCachedChanges)
	if err != nil {
		t.Fatal(err)
	}
	reading, finish, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		_, err := listOf(lists, "2026-11-19.1",
			func() (*changed.Summary, error) { close(reading); <-finish; return nil, errors.New("disk") })
		if err == nil {
			t.Error("no fault")
		}
	}()
	<-reading
	want := &changed.Summary{}
	if got, err := listOf(lists, "2026-11-20.1", func() (*changed.Summary, error) { return want, nil }); err != nil ||
		got != want {
		t.Errorf("%v, %v", got, err)
	}
	close(finish)
	<-ended
	if got, err := listOf(lists, "2026-11-19.1", func() (*changed.Summary, error) { return want, nil }); err != nil ||
		got != want {
		t.Errorf("after a fault: %v, %v", got, err)
	}
	for _, id := range []snapshots.ID{"2026-11-20.1", "2026-11-19.1"} {
		if _, err := listOf(lists, id,
			func() (*changed.Summary, error) { return nil, errors.New("read again") }); err != nil {
			t.Errorf("%s: %v", id, err)
		}
	}
}
