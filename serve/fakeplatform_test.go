package serve

import (
	"context"
	"fmt"
	"time"

	"labour/serve/api"
)

// Jobs has five, the last without what may be missing.
func (s *fakeSnapshot) Jobs(ctx context.Context, q api.JobsQuery) (api.Page[api.JobsRow], error) {
	var rows []api.JobsRow
	for i := range 5 {
		r := api.JobsRow{ID: fmt.Sprintf("platform:ad-%d", 9-i), Type: "job", Title: "Care <worker> & driver",
			Employer: "Example Care Ltd",
			Borough:  ptr("camden"), BoroughName: ptr("Camden"), Sector: ptr("digital"), SOC: ptr("6135"),
			SalaryText:  ptr("£12.60 an hour"),
			PostedAt:    api.TimestampOf(day("2026-11-20").AddDate(0, 0, -i/2)),
			FirstSeenAt: api.TimestampOf(day("2026-11-20").Add(6 * time.Hour)),
			ClosesOn:    api.NullableDateOf(day("2026-12-01")), Link: ptr("https://example.com/jobs/1"),
			SourceKey: "platform", AttributionStatement: "Source: Example Works."}
		if i == 4 {
			r = api.JobsRow{ID: "find_an_apprenticeship:VAC1", Type: "apprenticeship", Title: "Apprentice",
				Employer: "Example Rail plc",
				PostedAt: api.TimestampOf(day("2026-11-01")), FirstSeenAt: api.TimestampOf(day("2026-11-02")),
				SourceKey: "find_an_apprenticeship", AttributionStatement: ogl}
		}
		if q.After == nil || r.PostedAt.Time().Before(q.After.PostedAt) || r.PostedAt.Time().Equal(q.After.PostedAt) &&
			r.ID < q.After.ID {
			rows = append(rows, r)
		}
	}
	return page(rows, q.Limit, func(r api.JobsRow) string { return r.SourceKey }), s.note(ctx, q)
}

func (s *fakeSnapshot) NextOccupations(ctx context.Context, q api.NextOccupationsQuery) ([]api.NextOccupation, error) {
	return nil, s.note(ctx, q)
}

func (s *fakeSnapshot) Pathways(ctx context.Context) ([]api.PathwaysRow, error) {
	return []api.PathwaysRow{
		{ID: "pw-1", Slug: "into-care", Title: "Into care", Summary: "From a first course on.", Sector: "care-services",
			UpdatedOn: api.DateOf(day("2026-09-01")),
			Steps: []api.Step{{Order: 1, Title: "Care certificate", Description: "A first course.",
				SOC: ptr("6135"), Level: ptr(2)}, {Order: 2, Title: "Care worker"}},
			Standards: []api.Standard{{Code: "ST0005", Title: "Adult care worker", Level: 2}}},
		{ID: "pw-2", Slug: "into-software", Title: "Into software", Sector: "digital",
			UpdatedOn: api.DateOf(day("2026-10-01")), Steps: []api.Step{}, Standards: []api.Standard{}},
	}, s.note(ctx, "pathways")
}

func (s *fakeSnapshot) Candidates(ctx context.Context) (api.Candidates, error) {
	return api.Candidates{Residents: count(120), SeekingWork: count(71), BySectorSought: []api.CandidatesOfSector{},
		ByBorough: []api.CandidatesOfBorough{{Borough: "camden", BoroughName: "Camden"},
			{Borough: "hackney", BoroughName: "Hackney", Residents: count(3)}},
		ByLevel: []api.CandidatesOfLevel{{Level: 1, LevelName: "Aware", Residents: count(0)},
			{Level: 2, LevelName: "Working", Residents: count(50)}},
	}, s.note(ctx, "candidates")
}

func (s *fakeSnapshot) S106(ctx context.Context, place string) (api.S106, error) {
	d := api.S106{Developments: 6, Obligations: 18, JobsCreated: count(60), ApprenticeshipsStarted: count(3),
		LocalPeopleEmployed: count(41),
		TrainingPlaces:      42, ContributionsGBP: 1_500_000}
	if place != "" {
		d.Developments, d.LocalPeopleEmployed = 1, count(2)
	}
	return d, s.note(ctx, "s106 "+place)
}

func (s *fakeSnapshot) Events(ctx context.Context, q api.EventsQuery) (api.EventsPage, error) {
	at := time.Date(2026, 11, 19, 8, 0, 0, 0, time.UTC)
	p := api.EventsPage{Total: 2, Rows: []api.EventsRow{
		{ID: "ev-2", Type: "outcome.recorded", OccurredAt: api.TimestampOf(at),
			Data: api.EventData{Advert: ptr("ad-1"), Borough: ptr("camden"), Outcome: ptr("hired")}},
		{ID: "ev-1", Type: "opportunity.published", OccurredAt: api.TimestampOf(at.Add(-time.Hour))},
	}}
	if q.Page > 1 {
		p.Rows = nil
	}
	p.PartnerEventsMissing = q.Partner == "Elsewhere"
	return p, s.note(ctx, q)
}
