package intake_test

import (
	"context"
	"strings"
	"testing"

	"labour/sources"
	"labour/sources/intake"
)

// remarking is a sink that takes remarks too.
type remarking struct {
	collected
	remarks []sources.Fault
}

func (r *remarking) Remark(f sources.Fault) { r.remarks = append(r.remarks, f) }

// saying emits one record, one fault and one remark.
type saying struct{ breaking }

func (saying) Read(_ context.Context, _ sources.Extract, _ sources.Opener, out sources.RecordSink) error {
	out.Fault(sources.Fault{Source: "s", Object: "o\x00", Where: "w\x00", Code: sources.FaultBrokenRow, Detail: "d\x00"})
	if r, ok := out.(intake.RemarkSink); ok {
		r.Remark(sources.Fault{Detail: "remark"})
	}
	return out.Emit(sources.Area{Code: "c\x00", Name: "n"})
}

// TestWhatIsSaidIsPassedOn: records, faults with every field cleaned, and remarks if they are taken.
func TestWhatIsSaidIsPassedOn(t *testing.T) {
	var got remarking
	if err := intake.ReadCleaned(t.Context(), saying{}, sources.Extract{}, nil, &got); err != nil {
		t.Fatal(err)
	}
	want := sources.Fault{Source: "s", Object: "o", Where: "w", Code: sources.FaultBrokenRow, Detail: "d"}
	if len(got.records) != 1 || got.records[0].(sources.Area).Code != "c" || len(got.faults) != 1 ||
		got.faults[0] != want || len(got.remarks) != 1 || got.remarks[0].Detail != "remark" {
		t.Errorf("%+v", got)
	}
	var plain collected
	if err := intake.ReadCleaned(t.Context(), saying{}, sources.Extract{}, nil, &plain); err != nil ||
		len(plain.faults) != 1 {
		t.Errorf("without remarks: %+v, %v", plain, err)
	}
	err := intake.ReadCleaned(t.Context(), breaking{panics: true}, sources.Extract{}, nil, &plain)
	if err == nil || !strings.Contains(err.Error(), "broken cannot read the response") ||
		!strings.Contains(err.Error(), "index out of range") {
		t.Errorf("a panic: %v", err)
	}
}

// TestNamelessRecordsAreNamed by their id, whichever of their names is lost; a name that was empty
// is not lost.
func TestNamelessRecordsAreNamed(t *testing.T) {
	const hidden = "\u200b"
	for want, records := range map[string][]sources.Record{
		"id": {sources.Advert{ID: "id", Title: hidden, Employer: "e"}, sources.Advert{ID: "id", Title: "t",
			Employer: hidden},
			sources.Evidence{ID: "id", Title: hidden, Statement: "s"}, sources.Evidence{ID: "id", Title: "t",
				Statement: hidden},
			sources.Pathway{ID: "id", Title: hidden}, sources.Borough{Code: "id", Slug: "s", Name: hidden},
			sources.Statistic{RegionCode: "id", SubjectArea: hidden}, sources.OccupationGroup{SOC: "id", Name: hidden},
			sources.OccupationTitle{SOC: "id", Title: hidden}, sources.Ward{Code: "id", Name: hidden}},
		"": {sources.Advert{ID: "id"}, sources.Headline{ID: "id"}, sources.PlanPriority{Title: hidden},
			sources.AreaCodeChange{},
			sources.Event{Partner: "p"}, sources.Boundary{Code: "c"}},
	} {
		for _, r := range records {
			if _, got := intake.CleanRecord(r); got != want {
				t.Errorf("%T: %q, want %q", r, got, want)
			}
		}
	}
	if plain, _ := intake.CleanRecord(sources.Event{Partner: "p\x00"}); plain.(sources.Event).Partner != "p" {
		t.Errorf("%+v", plain)
	}
}

// A pathway whose step or standard loses its name is nameless, wherever in the list it is: a later one
// that keeps its name does not make up for it.
func TestPathwaysNeedAllTheirNames(t *testing.T) {
	const hidden = "\u200b"
	for _, titles := range [][]string{{hidden, "b"}, {"a", hidden}, {hidden, hidden}, {"a", "b"}} {
		want := ""
		steps, standards := sources.Pathway{ID: "id", Title: "t"}, sources.Pathway{ID: "id", Title: "t"}
		for _, title := range titles {
			steps.Steps = append(steps.Steps, sources.PathwayStep{Title: title})
			standards.Standards = append(standards.Standards, sources.ApprenticeshipStandard{Title: title})
			if title == hidden {
				want = "id"
			}
		}
		for part, p := range map[string]sources.Pathway{"steps": steps, "standards": standards} {
			if _, got := intake.CleanRecord(p); got != want {
				t.Errorf("%s %q: %q, want %q", part, titles, got, want)
			}
		}
	}
}
