package serve

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"labour/serve/api"
	"labour/snapshots"
	"labour/snapshots/figure"
)

// fakeLive hands out fake snapshots and polices the contract: each is released
// exactly once.
type fakeLive struct {
	mu      sync.Mutex
	current string
	kept    map[string]*fakeSnapshot
	open    int
	reopen  func(ctx context.Context, id string) error // mounts a snapshot that is not open
}

func newFakeLive(ids ...string) *fakeLive {
	l := &fakeLive{kept: map[string]*fakeSnapshot{}}
	for _, id := range ids {
		l.kept[id] = newFakeSnapshot(id)
		l.current = id
	}
	return l
}

func (l *fakeLive) Acquire() (api.Snapshot, func(), error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.acquire(l.current, api.ErrNoSnapshot)
}

func (l *fakeLive) AcquireByID(ctx context.Context, id string, reopen bool) (api.Snapshot, func(), error) {
	if reopen && l.reopen != nil {
		if err := l.reopen(ctx, id); err != nil {
			return nil, nil, err
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.acquire(id, api.ErrSnapshotGone)
}

func (l *fakeLive) IsOpen(id string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.kept[id] != nil
}

func (l *fakeLive) acquire(id string, missing error) (api.Snapshot, func(), error) {
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
	digest string // of its tables; empty = its id
	skills []api.SkillsUnmetRow
	hook   func(ctx context.Context) error
	open   map[string]bool // embargoed datasets
	nobody bool            // it has no people

	corrections map[string]api.Correction // by record, and by id of the evidence that states it

	mu    sync.Mutex
	asked []any
}

func percent(n int64) api.Percent { t := figure.Tenths(n); return api.Percent{Tenths: &t} }
func count(n int64) api.Count     { return api.Count{Count: figure.CountOf(n)} }
func ptr[T any](v T) *T           { return &v }

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
		r := api.SkillsUnmetRow{
			Rank: i + 1, Skill: strings.Fields(strings.ToLower(name))[0], SkillName: name, Level: 5 - i,
			LevelName: "Working",
			SourceKey: "platform", AdvertsShare: api.Share{Tenths: figure.Tenths(400 - 100*i)}, AdvertsBase: "250-999",
			AdvertsMargin: api.Share{Tenths: 89}, TurnedDown: count(int64(12 - 5*i)),
		}
		if i < 3 {
			r.PeopleBelow, r.HiredWith, r.TurnedDownWith = percent(305), percent(600), percent(455)
			r.Difference, r.Score.TenThousandths = percent(145), ptr(int64(r.AdvertsShare.Tenths*305))
		}
		s.skills = append(s.skills, r)
	}
	return s
}

func (s *fakeSnapshot) ID() string           { return s.id }
func (s *fakeSnapshot) AsOf() time.Time      { return day(s.id[:10]) }
func (s *fakeSnapshot) PlatformName() string { return "Example Works" }

func (s *fakeSnapshot) CodingErrors() figure.CodingErrors {
	return figure.CodingErrors{RandomError: 0.46, SystematicError: 0.05}
}

// DigestOf is the snapshot's own: no two fake ones answer alike, unless they share a digest.
func (s *fakeSnapshot) DigestOf(dataset string) string { return cmp.Or(s.digest, s.id) + dataset }

func (s *fakeSnapshot) DigestOfEvents(partner string) string { return s.DigestOf("events") + partner }

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

func source(key string) api.Source {
	if key == "platform" {
		return api.Source{Key: key, Publisher: "Example Works", Licence: "Own figures", Link: "https://example.com/",
			AttributionStatement: "Source: Example Works."}
	}
	return api.Source{Key: key, Publisher: "Department for Education", Licence: "Open Government Licence v3.0",
		Link: "https://example.com/dfe", AttributionStatement: ogl}
}

// page cuts rows to a limit and names their sources.
func page[R any](rows []R, limit int, key func(R) string) api.Page[R] {
	p := api.Page[R]{Rows: rows[:min(limit, len(rows))], More: limit < len(rows)}
	for _, r := range p.Rows {
		if !slices.ContainsFunc(p.Sources, func(s api.Source) bool { return s.Key == key(r) }) {
			p.Sources = append(p.Sources, source(key(r)))
		}
	}
	slices.SortFunc(p.Sources, func(a, b api.Source) int { return strings.Compare(a.Key, b.Key) })
	return p
}

func (s *fakeSnapshot) SkillsUnmet(ctx context.Context, q api.SkillsUnmetQuery) (api.Page[api.SkillsUnmetRow], error) {
	if err := s.note(ctx, q); err != nil {
		return api.Page[api.SkillsUnmetRow]{}, err
	}
	rows := s.skills
	tooFew := q.Place == "hackney"
	if tooFew || q.Level == 5 || q.Skill == "excel" { // no advert asks for it at level 5, or for excel
		rows = nil
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
	p := page(rows, q.Limit, func(r api.SkillsUnmetRow) string { return r.SourceKey })
	p.People, p.TooFewAdverts = ptr(s.AboutPeople("")), tooFew
	return p, nil
}

func (s *fakeSnapshot) AboutPeople(place string) api.People {
	p := api.People{From: api.NullableDateOf(s.PeopleAsOf().AddDate(-1, 0, 1)), To: api.NullableDateOf(s.PeopleAsOf()),
		Protection: "rounded", RoundedTo: 5, Published: true}
	if place == "hackney" {
		p.Published, p.Note = false, "There are no figures about people for Hackney yet."
	}
	return p
}

func (s *fakeSnapshot) SkillsUnmetByQuarter(ctx context.Context, q api.SkillsUnmetQuery) (p api.Page[api.Quarter],
	err error) {
	return p, s.note(ctx, q)
}

func (s *fakeSnapshot) CourseDemand(ctx context.Context,
	q api.CourseDemandQuery) (api.Page[api.CourseDemandRow], error) {
	rows := []api.CourseDemandRow{
		{SourceKey: "dfe_apprenticeships", Metric: "apprenticeship_starts", RegionCode: "E92000001",
			RegionName: "England", SubjectArea: "Health, Public Services and Care",
			PeriodEnd: api.DateOf(day("2026-07-31")), Value: count(90_500),
			YearOnYear: api.YearOnYear{PreviousValue: count(88_300), Change: percent(25)}},
		{SourceKey: "dfe_apprenticeships", Metric: "apprenticeship_starts", RegionCode: "E92000001",
			RegionName: "England", SubjectArea: "Languages",
			PeriodEnd: api.DateOf(day("2026-07-31")), Value: count(3),
			YearOnYear: api.YearOnYear{PreviousValue: count(0)}},
	}
	p := page(rows, q.Limit, func(r api.CourseDemandRow) string { return r.SourceKey })
	return p, s.note(ctx, q)
}

func (s *fakeSnapshot) SkillsGaps(ctx context.Context, q api.SkillsGapsQuery) (api.Page[api.SkillsGapsRow], error) {
	rows := []api.SkillsGapsRow{
		{SOC: "2136", Occupation: "Programmers", Classification: "SOC2020", Country: "GB", SourcesAgreeing: 2,
			PointingSources: api.Keys{"dfe_apprenticeships", "skills_england"},
			BaseYear:        ptr(2025), HorizonYear: ptr(2035), ProjectedChange: percent(-40),
			ProjectedOpenings: ptr(int64(120_000)), SourceKey: "skills_england"},
		{SOC: "5315", Occupation: "Plumbers", Classification: "SOC2020", Country: "GB", RegionCode: ptr("E12000007"),
			PointingSources: api.Keys{}, SourceKey: "skills_england"},
	}
	p := page(rows, q.Limit, func(r api.SkillsGapsRow) string { return r.SourceKey })
	return p, s.note(ctx, q)
}

func (s *fakeSnapshot) Evidence(ctx context.Context, q api.EvidenceQuery) (api.Page[api.EvidenceRow], error) {
	var rows []api.EvidenceRow
	for i := range 3 {
		r := api.EvidenceRow{ID: fmt.Sprintf("skills_england:%d", 9-i), PublishedOn: api.DateOf(day("2026-06-30")),
			Title: "Occupations in demand", Statement: "Demand is critical.",
			Kind: "report", Signal: "gap", SOC: ptr("2136"), Country: "GB", SourceKey: "skills_england",
			Licence: "Open Government Licence v3.0", Link: "https://example.com/report"}
		if q.After == nil || r.ID < q.After.ID {
			rows = append(rows, r)
		}
	}
	p := page(rows, q.Limit, func(r api.EvidenceRow) string { return r.SourceKey })
	return p, s.note(ctx, q)
}

func (s *fakeSnapshot) Sources(ctx context.Context, q api.SourcesQuery) (api.Page[api.SourcesRow], error) {
	fetched := time.Date(2026, 11, 19, 5, 0, 0, 0, time.UTC)
	rows := []api.SourcesRow{
		{Key: "platform", SourceKey: "platform", Publisher: "Example Works", Title: "Roles", Kind: "platform",
			Licence: "Own figures", Link: "https://example.com/",
			AttributionStatement: "Source: Example Works.", Cadence: api.Daily, AdvertsCounted: true, Rows: 40},
		{Key: "skills_england", SourceKey: "skills_england", Publisher: "Skills England",
			Title: "Occupations in demand", Kind: "projections", Licence: "Open Government Licence v3.0",
			Link: "https://example.com/report", AttributionStatement: ogl, Cadence: api.Annual},
	}
	rows[0].SetFreshness([]snapshots.FreshnessRow{{Part: "adverts.ndjson", LastSuccessAt: &fetched}}, q.At)
	rows[1].SetFreshness([]snapshots.FreshnessRow{{}}, q.At)
	p := page(rows, len(rows), func(r api.SourcesRow) string { return r.Key })
	return p, s.note(ctx, q)
}

func (s *fakeSnapshot) Regions(ctx context.Context, q api.RegionsQuery) (api.Page[api.RegionsRow], error) {
	rows := []api.RegionsRow{
		{Code: "W22000001", Name: "Cardiff", NameWelsh: ptr("Caerdydd"), Kind: kindOf(q.Kind),
			NationCode: ptr("W92000004"), SourceKey: "ons_geography"},
		{Code: "E30000234", Name: "London", Kind: kindOf(q.Kind), NationCode: ptr("E92000001"),
			SourceKey: "ons_geography"},
	}
	p := page(rows, q.Limit, func(r api.RegionsRow) string { return r.SourceKey })
	return p, s.note(ctx, q)
}

func (s *fakeSnapshot) NamedValues(v api.Vocabulary) (out []api.Named) {
	for _, value := range s.Values(v) {
		out = append(out, api.Named{Value: value})
	}
	return out
}

func (s *fakeSnapshot) Outlines() api.Page[api.Outline] {
	return api.Page[api.Outline]{}
}

func (s *fakeSnapshot) Values(v api.Vocabulary) []string {
	switch v {
	case api.Places:
		return []string{"camden", "central-london", "hackney", "islington", "kensington-and-chelsea", "westminster"}
	case api.Sectors:
		return []string{"construction", "digital"}
	case api.Skills:
		return []string{"care", "excel", "first", "spreadsheets", "tiling", "welding"}
	case api.Occupations:
		return []string{"2", "21", "2134", "2136", "6135"}
	case api.RegionNames:
		return []string{"E12000007", "E92000001", "central-london-forward", "local-london"}
	}
	return nil
}

func (s *fakeSnapshot) ResolveRegion(country, param string) (api.Region, bool) {
	code := map[string]string{"E12000007": "E12000007", "e12000007": "E12000007", "local-london": "E69000011",
		"e09999907": "E12000007", "central-london-forward": "E69000002"}[param]
	if param == "e07000110" {
		return api.Region{Code: "E07000110", Country: country, SplitInto: api.Keys{"E06000111", "E06000112"}}, true
	}
	return api.Region{Code: code, Country: country}, code != ""
}

// kindOf is the kind of a region that is listed for a kind; itl is for three kinds.
func kindOf(kind string) string {
	if kind == "itl" {
		return "itl1"
	}
	return kind
}
