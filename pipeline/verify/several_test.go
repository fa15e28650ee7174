package verify

import (
	"slices"
	"testing"

	"labour/snapshots"
)

// TestColumnsOfSeveralSources holds which columns must name known sources in order.
func TestColumnsOfSeveralSources(t *testing.T) {
	j := judge(t)
	for name, want := range map[string]string{"lists": "sources", "skills_gaps": "pointing_sources",
		"outlook": "source_keys", "adverts": "", "sources": ""} {
		table, ok := j.schema(name)
		if !ok {
			t.Fatal(name)
		}
		var wanted []string
		if want != "" {
			wanted = []string{want}
		}
		a := rowFile{Table: table, file: snapshots.TableFileName(name)}
		if got := j.columns(faultQuery{check: "sources", of: "several"}, a); !slices.Equal(got, wanted) {
			t.Errorf("%s: %q, want %q", name, got, wanted)
		}
		named := j.columns(faultQuery{check: "sources", of: "named"}, a)
		if want != "" && !slices.Contains(named, want) {
			t.Errorf("%s: %q are looked up, want %s among them", name, named, want)
		}
	}
}
