package serve

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"labour/serve/labourdata"
	"labour/snapshots/figure"
)

// fakeLive hands out fake snapshots and polices the contract: each is released
// exactly once.
type fakeLive struct {
	mu      sync.Mutex
	current string
	kept    map[string]*fakeSnapshot
	open    int
}

func newFakeLive(ids ...string) *fakeLive {
	l := &fakeLive{kept: map[string]*fakeSnapshot{}}
	for _, id := range ids {
		l.kept[id] = newFakeSnapshot(id)
		l.current = id
	}
	return l
}

func (l *fakeLive) Acquire() (labourdata.Snapshot, func(), error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.take(l.current, labourdata.ErrNoSnapshot)
}

func (l *fakeLive) AcquireID(id string) (labourdata.Snapshot, func(), error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.take(id, labourdata.ErrSnapshotGone)
}

func (l *fakeLive) take(id string, missing error) (labourdata.Snapshot, func(), error) {
	s, ok := l.kept[id]
	if !ok {
		return nil, nil, fmt.Errorf("acquire: %w", missing)
	}
	l.open++
	released := false
	return s, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if released {
			panic("released twice")
		}
		released = true
		l.open--
	}, nil
}

func (l *fakeLive) stillOpen() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.open
}

func (l *fakeLive) now() *fakeSnapshot { return l.kept[l.current] }

// fakeSnapshot answers with a few fixed rows and notes what it was asked. A test
// sets hook to do something else while a question is answered.
type fakeSnapshot struct {
	id     string
	skills []labourdata.SkillsUnmetRow
	hook   func(ctx context.Context) error
	open   map[string]bool // held datasets
	nobody bool            // it has no people

	mu    sync.Mutex
	asked []any
}

func tenths(n int64) *figure.Tenths { t := figure.Tenths(n); return &t }
func ptr[T any](v T) *T             { return &v }

func day(s string) time.Time {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return t
}

// newFakeSnapshot has five skills, the last ones with figures withheld.
func newFakeSnapshot(id string) *fakeSnapshot {
	s := &fakeSnapshot{id: id}
	for i, name := range []string{"Spreadsheets", "Care <planning> & notes", "Welding", "First aid", "Tiling"} {
		r := labourdata.SkillsUnmetRow{
			Rank: i + 1, Skill: strings.Fields(strings.ToLower(name))[0], SkillName: name, Level: 5 - i, LevelName: "Working",
			SourceKey: "platform", AdvertsShare: figure.Tenths(400 - 100*i), TurnedDown: figure.CountOf(int64(12 - 5*i)),
		}
		if i < 3 {
			r.PeopleBelow, r.HiredWith, r.TurnedDownWith = tenths(305), tenths(600), tenths(455)
			r.Difference, r.Score = tenths(145), ptr(figure.ScoreHundredths(r.AdvertsShare, 305))
		}
		s.skills = append(s.skills, r)
	}
	return s
}

func (s *fakeSnapshot) ID() string           { return s.id }
func (s *fakeSnapshot) AsOf() time.Time      { return day(s.id[:10]) }
func (s *fakeSnapshot) PlatformName() string { return "Example Works" }

func (s *fakeSnapshot) PeopleAsOf() time.Time {
	if s.nobody {
		return time.Time{}
	}
	return day("2026-09-30")
}

// note keeps a question and runs the hook.
func (s *fakeSnapshot) note(ctx context.Context, q any) error {
	s.mu.Lock()
	s.asked = append(s.asked, q)
	hook := s.hook
	s.mu.Unlock()
	if hook != nil {
		return hook(ctx)
	}
	return nil
}

// last is the latest question.
func (s *fakeSnapshot) last() any {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.asked) == 0 {
		return nil
	}
	return s.asked[len(s.asked)-1]
}

const ogl = "Contains public sector information licensed under the Open Government Licence v3.0."

func source(key string) labourdata.Source {
	if key == "platform" {
		return labourdata.Source{Key: key, Publisher: "Example Works", Licence: "Own figures", Link: "https://example.com/", AttributionStatement: "Source: Example Works."}
	}
	return labourdata.Source{Key: key, Publisher: "Department for Education", Licence: "Open Government Licence v3.0", Link: "https://example.com/dfe", AttributionStatement: ogl}
}

// page cuts rows to a limit and names their sources.
func page[R any](rows []R, limit int, key func(R) string) labourdata.Page[R] {
	p := labourdata.Page[R]{Rows: rows[:min(limit, len(rows))], More: limit < len(rows)}
	for _, r := range p.Rows {
		if !slices.ContainsFunc(p.Sources, func(s labourdata.Source) bool { return s.Key == key(r) }) {
			p.Sources = append(p.Sources, source(key(r)))
		}
	}
	slices.SortFunc(p.Sources, func(a, b labourdata.Source) int { return strings.Compare(a.Key, b.Key) })
	return p
}

func (s *fakeSnapshot) SkillsUnmet(ctx context.Context, q labourdata.SkillsUnmetQuery) (labourdata.Page[labourdata.SkillsUnmetRow], error) {
	if err := s.note(ctx, q); err != nil {
		return labourdata.Page[labourdata.SkillsUnmetRow]{}, err
	}
	rows := s.skills
	if q.Place == "hackney" {
		rows = nil // too few adverts
	}
	if q.By != "" {
		rows = slices.Clone(rows)
		for i := range rows {
			rows[i].Bucket, rows[i].BucketName = ptr("2026-1"+fmt.Sprint(i)), ptr("Month "+fmt.Sprint(i))
		}
	}
	if q.After != nil {
		rows = rows[min(q.After.Rank, len(rows)):] // a cursor may come with other filters
	}
	return page(rows, q.Limit, func(r labourdata.SkillsUnmetRow) string { return r.SourceKey }), nil
}

func (s *fakeSnapshot) CourseDemand(ctx context.Context, q labourdata.CourseDemandQuery) (labourdata.Page[labourdata.CourseDemandRow], error) {
	rows := []labourdata.CourseDemandRow{
		{SourceKey: "dfe_apprenticeships", Metric: "apprenticeship_starts", RegionCode: "E92000001", RegionName: "England", SubjectArea: "Health, Public Services and Care",
			PeriodEnd: day("2026-07-31"), Value: figure.CountOf(90_500), PreviousValue: figure.CountOf(88_300), Change: tenths(25)},
		{SourceKey: "dfe_apprenticeships", Metric: "apprenticeship_starts", RegionCode: "E92000001", RegionName: "England", SubjectArea: "Languages",
			PeriodEnd: day("2026-07-31"), Value: figure.CountOf(3), PreviousValue: figure.CountOf(0)},
	}
	p := page(rows, q.Limit, func(r labourdata.CourseDemandRow) string { return r.SourceKey })
	return p, s.note(ctx, q)
}

func (s *fakeSnapshot) SkillsGaps(ctx context.Context, q labourdata.SkillsGapsQuery) (labourdata.Page[labourdata.SkillsGapsRow], error) {
	rows := []labourdata.SkillsGapsRow{
		{SOC: "2136", Occupation: "Programmers", Classification: "SOC2020", Country: "GB", SourcesAgreeing: 2, PointingSources: []string{"dfe_apprenticeships", "skills_england"},
			BaseYear: ptr(2025), HorizonYear: ptr(2035), ProjectedChange: tenths(-40), ProjectedOpenings: ptr(int64(120_000)), SourceKey: "skills_england"},
		{SOC: "5315", Occupation: "Plumbers", Classification: "SOC2020", Country: "GB", RegionCode: ptr("E12000007"), SourceKey: "skills_england"},
	}
	p := page(rows, q.Limit, func(r labourdata.SkillsGapsRow) string { return r.SourceKey })
	return p, s.note(ctx, q)
}

func (s *fakeSnapshot) Evidence(ctx context.Context, q labourdata.EvidenceQuery) (labourdata.Page[labourdata.EvidenceRow], error) {
	var rows []labourdata.EvidenceRow
	for i := range 3 {
		r := labourdata.EvidenceRow{ID: fmt.Sprintf("skills_england:%d", 9-i), PublishedOn: day("2026-06-30"), Title: "Occupations in demand", Statement: "Demand is critical.",
			Kind: "report", Signal: "gap", SOC: ptr("2136"), Country: "GB", SourceKey: "skills_england", Licence: "Open Government Licence v3.0", Link: "https://example.com/report"}
		if q.After == nil || r.ID < q.After.ID {
			rows = append(rows, r)
		}
	}
	p := page(rows, q.Limit, func(r labourdata.EvidenceRow) string { return r.SourceKey })
	return p, s.note(ctx, q)
}

func (s *fakeSnapshot) Sources(ctx context.Context, q labourdata.SourcesQuery) (labourdata.Page[labourdata.SourcesRow], error) {
	fetched := time.Date(2026, 11, 19, 5, 0, 0, 0, time.UTC)
	rows := []labourdata.SourcesRow{
		{Key: "platform", Publisher: "Example Works", Title: "Roles", Kind: "platform", Licence: "Own figures", Link: "https://example.com/",
			AttributionStatement: "Source: Example Works.", Cadence: labourdata.Daily, LastSuccessAt: &fetched, AdvertsCounted: true, Rows: 40},
		{Key: "skills_england", Publisher: "Skills England", Title: "Occupations in demand", Kind: "projections", Licence: "Open Government Licence v3.0",
			Link: "https://example.com/report", AttributionStatement: ogl, Cadence: labourdata.Annual},
	}
	p := page(rows, len(rows), func(r labourdata.SourcesRow) string { return r.Key })
	return p, s.note(ctx, q)
}

func (s *fakeSnapshot) Regions(ctx context.Context, q labourdata.RegionsQuery) (labourdata.Page[labourdata.RegionsRow], error) {
	rows := []labourdata.RegionsRow{
		{Code: "W22000001", Name: "Cardiff", NameWelsh: ptr("Caerdydd"), Kind: q.Kind, NationCode: ptr("W92000004"), SourceKey: "ons_geography"},
		{Code: "E30000234", Name: "London", Kind: q.Kind, NationCode: ptr("E92000001"), SourceKey: "ons_geography"},
	}
	p := page(rows, q.Limit, func(r labourdata.RegionsRow) string { return r.SourceKey })
	return p, s.note(ctx, q)
}

func (s *fakeSnapshot) Named(labourdata.Vocabulary) []labourdata.Named { return nil }

func (s *fakeSnapshot) Outlines() labourdata.Page[labourdata.Outline] {
	return labourdata.Page[labourdata.Outline]{}
}

func (s *fakeSnapshot) Values(v labourdata.Vocabulary) []string {
	switch v {
	case labourdata.Places:
		return []string{"camden", "central-london", "hackney", "islington", "kensington-and-chelsea", "westminster"}
	case labourdata.Sectors:
		return []string{"construction", "digital"}
	case labourdata.Skills:
		return []string{"care", "first", "spreadsheets", "tiling", "welding"}
	case labourdata.RegionNames:
		return []string{"E12000007", "E92000001", "local-london"}
	}
	return nil
}

func (s *fakeSnapshot) ResolveRegion(country, param string) (labourdata.Region, bool) {
	code := map[string]string{"E12000007": "E12000007", "e12000007": "E12000007", "local-london": "E69000011", "central-london-forward": "E69000002"}[param]
	return labourdata.Region{Code: code, Country: country}, code != ""
}
