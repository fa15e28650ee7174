package snapshots

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFilesStateTheirTerms holds that the metadata of a table have each licence and each statement
// once, in order, whatever the order of the sources.
func TestFilesStateTheirTerms(t *testing.T) {
	one := Table{Name: "people", Doc: "Counts.", Columns: []Column{{Name: "place", Doc: "place slug"}}}
	sources := []SourcesRow{{Licence: "OGL 3.0", AttributionStatement: "Source: B."},
		{Licence: "CC BY 4.0", AttributionStatement: "Source: C."},
		{Licence: "OGL 3.0", AttributionStatement: "Source: A."},
		{Licence: "CC BY 4.0", AttributionStatement: "Source: C."}}
	want := map[string]string{MetaFormat: Format, MetaTable: "people", MetaSnapshot: "2026-11-20.1",
		MetaDescription: "Counts.", MetaColumnPrefix + "place": "place slug", MetaLicence: "CC BY 4.0\nOGL 3.0",
		MetaAttribution: "Source: A.\nSource: B.\nSource: C."}
	if diff := cmp.Diff(want, TableMetadata(one, "2026-11-20.1", sources)); diff != "" {
		t.Error(diff)
	}
}

// TestChangesNameTheSnapshotBefore and its manifest; the first snapshot has none.
func TestChangesNameTheSnapshotBefore(t *testing.T) {
	before := &PreviousSnapshot{ID: "2026-11-19.2", ManifestSHA256: "ab"}
	for name, c := range map[string]struct {
		previous *PreviousSnapshot
		id, sum  string
	}{"first": {nil, "", ""}, "second": {before, "2026-11-19.2", "ab"}} {
		meta := ChangesMetadata("2026-11-20.1", c.previous, nil)
		id, hasID := meta[MetaPreviousID]
		sum, hasSum := meta[MetaPreviousManifest]
		if !hasID || !hasSum || id != c.id || sum != c.sum || meta[MetaSnapshot] != "2026-11-20.1" {
			t.Errorf("%s: %v", name, meta)
		}
	}
}
