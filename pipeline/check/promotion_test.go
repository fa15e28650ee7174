package check

import (
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/pipeline/check/limits"
	"labour/snapshots"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

// TestPromotions walks through what may replace the current snapshot: one that was published before
// without a comparison, another one if it is sound and follows the current one, and none that was
// withdrawn.
func TestPromotions(t *testing.T) {
	data := t.TempDir()
	first := snaptest.BuildSnapshot(t, data, "2026-11-20", snaptest.DefaultContent(t, "2026-11-20"))
	current := snaptest.BuildSnapshot(t, data, "2026-11-21", snaptest.DefaultContent(t, "2026-11-21"))
	earlier := snaptest.DefaultContent(t, "2026-11-19")
	earlier.Regions = earlier.Regions[1:] // so that the table is another file than before
	next := snaptest.SealSnapshot(t, data, "2026-11-19", earlier)
	folder, err := store.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	silent := slog.New(slog.DiscardHandler)
	for id, want := range map[snapshots.ID]bool{first: true, current: true, next: false, "2026-11-18.1": false} {
		if got := isPromotedAgain(folder, id, current); got != want {
			t.Errorf("%s goes back from %s: %t", id, current, got)
		}
	}
	p, err := CheckPromotion(t.Context(), folder, first, defaults, silent)
	if err != nil || p.expect != current {
		t.Fatalf("%+v expects %q, not %s: %v", p, p.expect, current, err)
	}
	floor := defaults
	floor.PerTable = map[string]limits.Table{"regions": {MinRows: 1000}}
	for _, c := range []struct {
		limits limits.Checks
		want   []string
	}{{defaults, []string{"as_of goes back", "it has made figures of people"}},
		{floor, []string{"table regions has"}}} { // an unsound snapshot is not compared
		_, err := CheckPromotion(t.Context(), folder, next, c.limits, silent)
		var refused *RefusedError
		if !errors.As(err, &refused) || refused.ID != next ||
			!slices.EqualFunc(refused.Faults, c.want, strings.Contains) {
			t.Errorf("%v, want the faults %q", err, c.want)
		}
	}
	if err := p.Promote(t.Context(), folder, first); err != nil {
		t.Fatal(err)
	}
	if err := p.Promote(t.Context(), folder, next); err == nil {
		t.Error("a snapshot is promoted although another one is current than during the checks")
	}
	w := store.Withdrawal{At: time.Now(), By: "me", Reason: "wrong"}
	if _, err := folder.Withdraw(t.Context(), current, w); err != nil {
		t.Fatal(err)
	}
	var refused *RefusedError
	if _, err := CheckPromotion(t.Context(), folder, current, defaults, silent); !errors.As(err, &refused) ||
		refused.Error() != "snapshot "+string(current)+" is not promoted: it was withdrawn" {
		t.Errorf("a withdrawn snapshot: %v", err)
	}
}

// TestAllFaultsOfARefusalAreListed, and why an exception of the configuration does not excuse one.
func TestAllFaultsOfARefusalAreListed(t *testing.T) {
	exceptions := []limits.Exception{{Check: limits.CheckTableShrink, Subject: "regions", AcceptedBy: "An analyst",
		ValidUntil: "2026-11-30"}}
	faults := []Fault{
		{Check: limits.CheckVerify, Text: "it is unsound"},
		{Check: limits.CheckEarlierDate, Subject: "regions", Text: "it goes back"},
		{Check: limits.CheckTableShrink, Subject: "regions", Text: "it shrinks"},
	}
	got := (&RefusedError{ID: "2026-11-20.1", Faults: describeFaults(faults, exceptions)}).Error()
	want := "snapshot 2026-11-20.1 is not promoted: it is unsound; it goes back; it shrinks; if that is right, " +
		"acknowledge it in checks.exceptions (check: shrink, of: regions) (the exception of An analyst " +
		"ends on 2026-11-30; it excuses only snapshots up to that day that list it)"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestExceptionsOfAPromotion: the faults that were acknowledged are named, and so are the
// exceptions that match nothing, unless nothing was compared.
func TestExceptionsOfAPromotion(t *testing.T) {
	m := snapshots.Manifest{Exceptions: []snapshots.Exception{{Check: limits.CheckTableShrink, Subject: "regions",
		AcceptedBy: "me",
		Reason:     "so"},
		{Check: limits.CheckTableGrowth, Subject: "places"}, {Check: limits.CheckPlatformName}}}
	faults := []Fault{{Check: limits.CheckTableShrink, Subject: "regions", Text: "it shrinks",
		Exception: &m.Exceptions[0]}}
	for goesBack, idle := range map[bool][]string{false: {"growth of places", "platform"}, true: nil} {
		var said strings.Builder
		p := newPermit(m, faults, "2026-11-20.1", goesBack, slog.New(slog.NewTextHandler(&said, nil)))
		if warned := strings.Count(said.String(), "level=WARN"); warned != 1+len(idle) {
			t.Errorf("going back %t: %d warnings: %s", goesBack, warned, &said)
		}
		if len(p.AcknowledgedFaults) != 1 || !strings.HasPrefix(p.AcknowledgedFaults[0],
			"it shrinks (acknowledged by me until ") ||
			!slices.Equal(p.UnusedExceptions, idle) || p.expect != "2026-11-20.1" {
			t.Errorf("going back %t: %+v, want the idle exceptions %q", goesBack, p, idle)
		}
	}
}

// TestRowsAreTakenOverFromAnotherSnapshot: without a fault, without a previous snapshot, or where
// that is the snapshot itself, every fault stays.
func TestRowsAreTakenOverFromAnotherSnapshot(t *testing.T) {
	faults := []Fault{{Check: limits.CheckMinRows, Subject: "regions"}}
	for _, previous := range []snapshots.ID{"", "2026-11-20.1"} {
		left, err := withoutFaultsOfCopiedTables(nil, previous, "2026-11-20.1", slices.Clone(faults))
		if err != nil || !slices.Equal(left, faults) {
			t.Errorf("previous %q: %v, %v", previous, left, err)
		}
	}
	if left, err := withoutFaultsOfCopiedTables(nil, "2026-11-19.1", "2026-11-20.1", nil); err != nil || len(left) > 0 {
		t.Errorf("no fault at all: %v, %v", left, err)
	}
}
