package pipeline

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"labour/snapshots"
	"labour/sources"
)

// TestHeldEvidenceStaysOut: the open table of evidence may not tell that a held projection exists.
func TestHeldEvidenceStaysOut(t *testing.T) {
	listed := []snapshots.SourcesRow{{Key: "a", Licence: "A", Link: "https://a.example/"}}
	open := []sources.Evidence{{Source: "a", ID: "1", Kind: "projection", Signal: "gap"}, {Source: "b", ID: "2", Kind: "report"}}
	all := []sources.Evidence{open[0], {Source: "a", ID: "3", Kind: "projection", Signal: "gap", Held: true}, open[1], {Source: "b", ID: "4", Held: true}}
	rows := publishedEvidence(all, listed)
	if diff := cmp.Diff(publishedEvidence(open, listed), rows); diff != "" || len(rows) != len(open) {
		t.Fatalf("evidence (- without held, + with):\n%s", diff)
	}
	for i, r := range rows {
		if r.ID != open[i].Source+":"+open[i].ID || r.SourceKey == "a" && (r.Licence != "A" || r.Link != "https://a.example/") {
			t.Errorf("row %+v of %+v", r, open[i])
		}
	}
}
