package verify_test

import (
	"slices"
	"strings"
	"testing"

	"labour/snapshots"
	"labour/snapshots/snaptest"
)

// TestSourceWithoutFreshnessIsFound: every source has a part in the table freshness.
func TestSourceWithoutFreshnessIsFound(t *testing.T) {
	root := t.TempDir()
	c := snaptest.DefaultContent(t, day)
	c.Freshness = slices.DeleteFunc(c.Freshness,
		func(r snapshots.FreshnessRow) bool { return r.SourceKey == "ons_geography" })
	r := report(t, dirOf(t, root, snaptest.BuildSnapshot(t, root, day, c)))
	if len(r.Faults) != 1 || !strings.Contains(r.Faults[0].Text, `"ons_geography" has no row in the table freshness`) {
		t.Errorf("%v", r.Err())
	}
}
