package query

import (
	"context"
	"fmt"
	"strings"
	"time"

	"labour/serve/api"
	"labour/serve/prefixsearch"
	"labour/snapshots"
)

// listsOf and the constants below name database queries. For example, the SQL text of the query
// platform/events is in sql/platform/queries/events.sql.
const (
	listsOf       queryName = figures + "/lists"
	ranking       queryName = figures + "/ranking"
	breakdown     queryName = figures + "/breakdown"
	demandAt      queryName = figures + "/asked"
	demandByMonth queryName = figures + "/asked_by_month"
	people        queryName = figures + "/people"
	residents     queryName = figures + "/residents"
	courseDemand  queryName = published + "/course_demand"
	skillsGaps    queryName = published + "/skills_gaps"
	evidence      queryName = published + "/evidence"
	allRegions    queryName = published + "/regions"
	regionNames   queryName = published + "/region_names"
	corrected     queryName = published + "/corrections"
	allSources    queryName = platform + "/sources"
	freshness     queryName = platform + "/freshness"
	liveJobs      queryName = platform + "/jobs"
	eventsOf      queryName = platform + "/events"
	eventCount    queryName = platform + "/event_count"
	eventTotals   queryName = platform + "/event_totals"
	eventDigests  queryName = platform + "/event_digests"
	pathways      queryName = platform + "/pathways"
	candidates    queryName = platform + "/candidates"
	s106          queryName = platform + "/s106"
	peoplePlaces  queryName = platform + "/people_places"
)

// CourseDemand returns counts of people in training, such as apprenticeship starts.
func (s *Snapshot) CourseDemand(ctx context.Context, q api.CourseDemandQuery) (api.Page[api.CourseDemandRow], error) {
	return collect[api.CourseDemandRow](ctx, s, courseDemand, map[string]any{
		"country": q.Country, "region": q.Region, "metric": q.Metric, "subject_area": q.SubjectArea,
		"limit": q.Limit + 1,
	}, q.Limit)
}

// SkillsGaps returns the forecast skills gaps of a country or region. The sources of the page
// include the publications that agree with each forecast.
func (s *Snapshot) SkillsGaps(ctx context.Context, q api.SkillsGapsQuery) (api.Page[api.SkillsGapsRow], error) {
	return collect[api.SkillsGapsRow](ctx, s, skillsGaps, map[string]any{
		"country": q.Country, "region": q.Region, "soc": q.SOC, "horizon": q.Horizon, "limit": q.Limit + 1,
	}, q.Limit)
}

// Evidence returns one page of published evidence about the labour market, the newest first.
func (s *Snapshot) Evidence(ctx context.Context, q api.EvidenceQuery) (api.Page[api.EvidenceRow], error) {
	arguments := map[string]any{"country": q.Country, "region": q.Region, "soc": q.SOC, "kind": q.Kind,
		"after_on": nil, "after_id": "", "limit": q.Limit + 1}
	if q.After != nil {
		arguments["after_on"], arguments["after_id"] = q.After.PublishedOn.UTC(), q.After.ID
	}
	return collect[api.EvidenceRow](ctx, s, evidence, arguments, q.Limit)
}

// Regions lists the regions of one kind, such as councils. If q.Name is not empty, it lists only
// those with a matching name.
func (s *Snapshot) Regions(ctx context.Context, q api.RegionsQuery) (api.Page[api.RegionsRow], error) {
	arguments := map[string]any{"kind": q.Kind, "limit": q.Limit + 1}
	setWords(arguments, q.Name)
	return collect[api.RegionsRow](ctx, s, allRegions, arguments, q.Limit)
}

// setWords sets the SQL parameters for a search by words. word is the first word of the text, and
// more_words are the others.
func setWords(arguments map[string]any, text string) {
	arguments["word"], arguments["more_words"] = "", ""
	if asked := prefixsearch.ParseSearch(text); len(asked) > 0 {
		arguments["word"], arguments["more_words"] = asked[0], strings.TrimPrefix(strings.Join(asked[1:], ""), " ")
	}
}

// beforeAll is a time before all times in a snapshot, and afterAll is a time after them.
var (
	beforeAll = time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)
	afterAll  = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)
)

// Jobs returns one page of live adverts, the newest first. It returns only adverts that may be
// published.
func (s *Snapshot) Jobs(ctx context.Context, q api.JobsQuery) (api.Page[api.JobsRow], error) {
	arguments := map[string]any{"borough": q.Borough, "type": q.Type, "sector": q.Sector, "soc": q.SOC,
		"after_at": afterAll, "after_seen": afterAll, "after_id": "", "limit": q.Limit + 1}
	setWords(arguments, q.Search)
	if q.After != nil {
		arguments["after_at"] = q.After.PostedAt
		arguments["after_seen"] = q.After.FirstSeen
		arguments["after_id"] = q.After.ID
	}
	return collect[api.JobsRow](ctx, s, liveJobs, arguments, q.Limit)
}

// Events returns one page of the events that a partner may see, and their total number. These are
// the partner's own events, and the clicks and opportunities that belong to no partner.
func (s *Snapshot) Events(ctx context.Context, q api.EventsQuery) (page api.EventsPage, err error) {
	partner := s.codes[code{"partner", q.Partner}]
	arguments := map[string]any{"partner": partner, "type": q.Type, "first": "newest", "since": beforeAll,
		"limit": q.Limit, "skip": int64(q.Page-1) * int64(q.Limit)}
	page.PartnerEventsMissing = s.withoutPartners
	if q.Since == nil {
		page.Total = s.eventsOfAllTime(partner, q.Type)
	} else {
		since := q.Since.UTC()
		arguments["first"], arguments["since"] = "oldest", since
		arguments["day_after"] = since.Truncate(24*time.Hour).AddDate(0, 0, 1)
		total, err := one[struct{ Events int64 }](ctx, s, eventCount, arguments)
		if err != nil {
			return api.EventsPage{}, err
		}
		page.Total = total.Events
	}
	page.Rows, err = all[api.EventsRow](ctx, s, eventsOf, arguments)
	return page, err
}

// eventsOfAllTime returns the total number of events that a partner may see. partner is the
// partner's number in the tables. eventType limits the count to one type; "" means all types.
func (s *Snapshot) eventsOfAllTime(partner int, eventType string) (events int64) {
	for _, t := range s.eventTotals {
		maySee := t.Partner == 0 || t.Partner == partner
		isAsked := eventType == "" || t.Type == eventType
		if maySee && isAsked {
			events += t.Events
		}
	}
	return events
}

// DigestOfEvents returns a digest of the events that a partner may see. The events of other partners
// do not change it, so that it tells nothing about them.
func (s *Snapshot) DigestOfEvents(partner string) string {
	return fmt.Sprintln(s.DigestOf("events"), s.withoutPartners, s.eventDigests[""], s.eventDigests[partner])
}

// releasedDatasets returns the names of the embargoed datasets that are released in a snapshot. The
// server loads no other embargoed dataset.
func releasedDatasets(m snapshots.Manifest) []string {
	var names []string
	for _, h := range snapshots.EmbargoedDatasets() {
		if m.EmbargoedNamed(h.Name).MayBeServed() {
			names = append(names, h.Name)
		}
	}
	return names
}

// IsReleased reports whether an embargoed dataset, such as demand, is released in this snapshot.
func (s *Snapshot) IsReleased(dataset string) bool {
	return s.manifest.EmbargoedNamed(dataset).MayBeServed()
}

// embargoedPage returns one page of an embargoed dataset. It returns an error if the dataset is not
// released.
func embargoedPage[R any](ctx context.Context, s *Snapshot, dataset string, q api.EmbargoedQuery) (api.Page[R], error) {
	if !s.IsReleased(dataset) {
		return api.Page[R]{}, fmt.Errorf("embargoed dataset %s is not open: %w", dataset, api.ErrSnapshotGone)
	}
	arguments := map[string]any{"soc": q.SOC, "digits": q.Digits, "direction": q.Direction, "country": q.Country,
		"region": q.Region, "months": q.Months,
		"ward": q.Ward, "council": q.Council, "within_km": q.WithinKM, "topic": q.Topic, "kind": q.Kind,
		"after": int64(0), "limit": q.Limit + 1}
	if q.After != nil {
		arguments["after"] = q.After.Position
	}
	return collect[R](ctx, s, queryName(embargoed+"/"+dataset), arguments, q.Limit)
}

// Demand returns the embargoed dataset demand: the number of live vacancies for each day and
// occupation, the newest day first.
func (s *Snapshot) Demand(ctx context.Context, q api.EmbargoedQuery) (api.Page[api.DemandRow], error) {
	return embargoedPage[api.DemandRow](ctx, s, "demand", q)
}

// Trends returns the embargoed dataset trends: growing, shrinking and steady occupations.
// Occupation groups with four-digit codes come first.
func (s *Snapshot) Trends(ctx context.Context, q api.EmbargoedQuery) (api.Page[api.TrendsRow], error) {
	return embargoedPage[api.TrendsRow](ctx, s, "trends", q)
}

// Outlook returns the embargoed dataset outlook: the employment outlook for each occupation, in 6
// to 60 months. It combines several published projections.
func (s *Snapshot) Outlook(ctx context.Context, q api.EmbargoedQuery) (api.Page[api.OutlookRow], error) {
	return embargoedPage[api.OutlookRow](ctx, s, "outlook", q)
}

// VacanciesNearWards returns the embargoed dataset reach: the number of live vacancies within 5, 10 and 20 km of
// each ward. The rows are sorted by ward and distance.
func (s *Snapshot) VacanciesNearWards(ctx context.Context, q api.EmbargoedQuery) (api.Page[api.ReachRow], error) {
	return embargoedPage[api.ReachRow](ctx, s, "reach", q)
}

// NewsSignals returns the embargoed dataset signals: summaries of news about the labour market, the
// newest first.
func (s *Snapshot) NewsSignals(ctx context.Context, q api.EmbargoedQuery) (api.Page[api.SignalsRow], error) {
	return embargoedPage[api.SignalsRow](ctx, s, "signals", q)
}

// PlanPriorities returns the embargoed dataset priorities: the skills, occupations and sectors that
// local skills improvement plans (LSIPs) list as in demand. The rows are sorted by area and plan.
func (s *Snapshot) PlanPriorities(ctx context.Context, q api.EmbargoedQuery) (api.Page[api.PrioritiesRow], error) {
	return embargoedPage[api.PrioritiesRow](ctx, s, "priorities", q)
}
