package serve

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"labour/serve/api"
)

func (s *fakeSnapshot) CorrectionOf(record string) (c api.Correction, ok bool) {
	c, ok = s.corrections[record]
	return c, ok
}

func (s *fakeSnapshot) CorrectionStatedIn(evidence api.EvidenceRow) (c api.Correction, ok bool) {
	return s.CorrectionOf(evidence.ID)
}

// An answer with corrected figures names each of them once, in its own row or as the year before, with the
// publisher's value and the reason. A withdrawn value is not repeated. CSV has the note as a header.
func TestCorrectedFiguresAreNoted(t *testing.T) {
	s := newService(t, nil)
	starts := "apprenticeship_starts E92000001 %s Health, Public Services and Care"
	record, before := fmt.Sprintf(starts, "2026-07-31"), fmt.Sprintf(starts, "2025-07-31")
	day := api.DateOf(time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC))
	slip := api.Correction{Record: record, Old: new("905000"), New: new("90500"), Reason: "A digit too many.",
		DecidedOn: day}
	s.live.kept["2026-11-20.1"].corrections = map[string]api.Correction{
		record: slip,
		before: {Record: before, Old: new("88888"), New: new("null"), Reason: "Withdrawn by the department",
			DecidedOn: day},
		"skills_england:8": slip,
		"skills_england:7": slip,
	}
	corrected := "On 2026-11-01 the operator corrected the figure " + record +
		" to 90500; the publisher gives 905000: A digit too many."
	withdrawn := "On 2026-11-01 the operator withdrew the figure " + before + ": Withdrawn by the department."
	for target, want := range map[string]string{
		"course-demand": corrected + " " + withdrawn,
		"course-demand?region=e09999907": "The code E09999907 was replaced by E12000007, which answers. " +
			corrected + " " + withdrawn,
		"evidence":         corrected,
		"evidence?limit=1": "",
		"skills-gaps":      "",
	} {
		var e struct{ Meta struct{ Note string } }
		if err := json.Unmarshal(s.get(t, "/v1/labour/"+target).body, &e); err != nil || e.Meta.Note != want {
			t.Errorf("%s: %q, %v", target, e.Meta.Note, err)
		}
	}
	if got := s.get(t, "/v1/labour/evidence?format=csv").header.Get("X-Note"); got != corrected {
		t.Errorf("in CSV: %q", got)
	}
}

// A note describes ten corrections and counts the others. The publisher may have had no figure.
func TestNoteOnManyCorrections(t *testing.T) {
	var many []api.Correction
	for i := range 12 {
		many = append(many, api.Correction{Record: fmt.Sprint("r", i), New: new("5"), Reason: "x"})
	}
	c := &call{}
	c.noteCorrected(many[:10])
	last := "r9 to 5; the publisher gives no figure: x."
	if strings.Contains(c.note, "more figures") || !strings.Contains(c.note, last) {
		t.Errorf("of ten: %s", c.note)
	}
	c = &call{}
	c.noteCorrected(many)
	if strings.Contains(c.note, "r10") || !strings.Contains(c.note, last+" 2 more figures were corrected; the file") {
		t.Errorf("of twelve: %s", c.note)
	}
}
