package serve

import (
	"context"
	"fmt"
	"time"

	"labour/serve/labourdata"
	"labour/snapshots/figure"
)

// Jobs has five, the last without what may be missing.
func (s *fakeSnapshot) Jobs(ctx context.Context, q labourdata.JobsQuery) (labourdata.Page[labourdata.JobsRow], error) {
	var rows []labourdata.JobsRow
	for i := range 5 {
		r := labourdata.JobsRow{ID: fmt.Sprintf("platform:ad-%d", 9-i), Type: "job", Title: "Care <worker> & driver", Employer: "Example Care Ltd",
			Borough: ptr("camden"), BoroughName: ptr("Camden"), Sector: ptr("digital"), SOC: ptr("6135"), SalaryText: ptr("£12.60 an hour"),
			PostedAt: day("2026-11-20").AddDate(0, 0, -i/2), ClosesOn: ptr(day("2026-12-01")), Link: ptr("https://example.com/jobs/1"),
			SourceKey: "platform", AttributionStatement: "Source: Example Works."}
		if i == 4 {
			r = labourdata.JobsRow{ID: "find_an_apprenticeship:VAC1", Type: "apprenticeship", Title: "Apprentice", Employer: "Example Rail plc",
				PostedAt: day("2026-11-01"), SourceKey: "find_an_apprenticeship", AttributionStatement: ogl}
		}
		if q.After == nil || r.PostedAt.Before(q.After.PostedAt) || r.PostedAt.Equal(q.After.PostedAt) && r.ID < q.After.ID {
			rows = append(rows, r)
		}
	}
	return page(rows, q.Limit, func(r labourdata.JobsRow) string { return r.SourceKey }), s.note(ctx, q)
}

func (s *fakeSnapshot) Pathways(ctx context.Context) ([]labourdata.Pathway, error) {
	return []labourdata.Pathway{
		{ID: "pw-1", Slug: "into-care", Title: "Into care", Summary: "From a first course on.", Sector: "care-services", UpdatedOn: day("2026-09-01"),
			Steps:     []labourdata.PathwayStep{{Order: 1, Title: "Care certificate", Description: "A first course.", SOC: ptr("6135"), Level: ptr(2)}, {Order: 2, Title: "Care worker"}},
			Standards: []labourdata.Standard{{Code: "ST0005", Title: "Adult care worker", Level: 2}}},
		{ID: "pw-2", Slug: "into-software", Title: "Into software", Sector: "digital", UpdatedOn: day("2026-10-01")},
	}, s.note(ctx, "pathways")
}

func (s *fakeSnapshot) Candidates(ctx context.Context) (labourdata.Candidates, error) {
	return labourdata.Candidates{Residents: figure.CountOf(120), SeekingWork: figure.CountOf(71),
		ByBorough: []labourdata.CandidatesGroup{{Value: "camden", Name: "Camden"}, {Value: "hackney", Name: "Hackney", Count: figure.CountOf(3)}},
		ByLevel:   []labourdata.CandidatesGroup{{Value: "1", Name: "Aware", Count: figure.CountOf(0)}, {Value: "2", Name: "Working", Count: figure.CountOf(50)}},
	}, s.note(ctx, "candidates")
}

func (s *fakeSnapshot) S106(ctx context.Context, place string) (labourdata.S106, error) {
	d := labourdata.S106{Developments: 6, Obligations: 18, JobsCreated: 60, ApprenticeshipsStarted: 3, LocalPeopleEmployed: figure.CountOf(41),
		TrainingPlaces: 42, ContributionsGBP: 1_500_000}
	if place != "" {
		d.Developments, d.LocalPeopleEmployed = 1, figure.CountOf(2)
	}
	return d, s.note(ctx, "s106 "+place)
}

func (s *fakeSnapshot) Events(ctx context.Context, q labourdata.EventsQuery) (labourdata.EventsPage, error) {
	at := time.Date(2026, 11, 19, 8, 0, 0, 0, time.UTC)
	p := labourdata.EventsPage{Total: 2, Rows: []labourdata.EventsRow{
		{ID: "ev-2", Type: "outcome.recorded", OccurredAt: at, Advert: ptr("ad-1"), Borough: ptr("camden"), Outcome: ptr("hired")},
		{ID: "ev-1", Type: "opportunity.published", OccurredAt: at.Add(-time.Hour)},
	}}
	if q.Page > 1 {
		p.Rows = nil
	}
	return p, s.note(ctx, q)
}
