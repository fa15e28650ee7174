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
	// listsOf finds the stored rankings of skills that match the filters of a query.
	listsOf queryName = figures + "/lists"
	// ranking counts the adverts that require each skill, in one stored ranking.
	ranking queryName = figures + "/ranking"
	// breakdown counts the adverts that require one skill, in each stored ranking that matches.
	breakdown queryName = figures + "/breakdown"
	// advertsAsking counts the adverts that require skills at some levels. It breaks the number down by
	// skill, place, sector, occupation, level or month.
	advertsAsking queryName = figures + "/asked"
	// advertsAskingByMonth counts the adverts that require each skill, by month.
	advertsAskingByMonth queryName = figures + "/asked_by_month"
	// people reads the published figures about people for one combination of filters.
	people queryName = figures + "/people"
	// residents reads the shares of residents below each skill level.
	residents queryName = figures + "/residents"
	// courseDemand reads the counts of people in training for a region, or the national ones.
	courseDemand queryName = published + "/course_demand"
	// skillsGaps reads the forecast skills gaps of a region, or the national ones.
	skillsGaps queryName = published + "/skills_gaps"
	// evidence reads one page of the evidence for a region, or of the national evidence.
	evidence queryName = published + "/evidence"
	// allRegions lists the regions of one kind whose names match a search.
	allRegions queryName = published + "/regions"
	// regionNames lists the values of the query parameter region.
	regionNames queryName = published + "/region_names"
	// corrected lists the operator's corrections of published figures.
	corrected queryName = published + "/corrections"
	// allSources lists all data sources, without their freshness.
	allSources queryName = platform + "/sources"
	// freshness reads when each part of each data source was last received.
	freshness queryName = platform + "/freshness"
	// liveJobs reads one page of live adverts.
	liveJobs queryName = platform + "/jobs"
	// eventsOf reads one page of the events that a partner may see.
	eventsOf queryName = platform + "/events"
	// eventCount counts the events that a partner may see, from a given time on.
	eventCount queryName = platform + "/event_count"
	// eventTotals counts the events of each partner, by type.
	eventTotals queryName = platform + "/event_totals"
	// eventDigests reads the digest of each partner's events.
	eventDigests queryName = platform + "/event_digests"
	// pathways reads the published careers pathways.
	pathways queryName = platform + "/pathways"
	// candidates reads the published counts of registered residents.
	candidates queryName = platform + "/candidates"
	// s106 reads the counts of section 106 agreements in each place.
	s106 queryName = platform + "/s106"
	// peoplePlaces lists the places for which counts of people were made.
	peoplePlaces queryName = platform + "/people_places"
)

// CourseDemand returns counts of people in training, such as apprenticeship starts.
func (s *Snapshot) CourseDemand(ctx context.Context, q api.CourseDemandQuery) (api.Page[api.CourseDemandRow], error) {
	return collect[api.CourseDemandRow](ctx, s, courseDemand, map[string]any{
		"country": q.Country, "regions": s.codesOfRegion(q.Region), "metric": q.Metric, "subject_area": q.SubjectArea,
		"limit": q.Limit + 1,
	}, q.Limit)
}

// SkillsGaps returns the forecast skills gaps of a country or region. The sources of the page
// include the publications that agree with each forecast.
func (s *Snapshot) SkillsGaps(ctx context.Context, q api.SkillsGapsQuery) (api.Page[api.SkillsGapsRow], error) {
	return collect[api.SkillsGapsRow](ctx, s, skillsGaps, map[string]any{
		"country": q.Country, "regions": s.codesOfRegion(q.Region), "soc": q.SOC, "horizon": q.Horizon, "limit": q.Limit + 1,
	}, q.Limit)
}

// Evidence returns one page of published evidence about the labour market, the newest first.
func (s *Snapshot) Evidence(ctx context.Context, q api.EvidenceQuery) (api.Page[api.EvidenceRow], error) {
	arguments := map[string]any{"country": q.Country, "regions": s.codesOfRegion(q.Region), "soc": q.SOC, "kind": q.Kind,
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

// setWords sets the SQL parameters word and more_words for a search by the words of text. word
// becomes the first word, and more_words the others.
func setWords(arguments map[string]any, text string) {
	arguments["word"], arguments["more_words"] = "", ""
	if asked := prefixsearch.ParseSearch(text); len(asked) > 0 {
		arguments["word"], arguments["more_words"] = asked[0], strings.TrimPrefix(strings.Join(asked[1:], ""), " ")
	}
}

var (
	// beforeAll is a time before all times in a snapshot.
	beforeAll = time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)
	// afterAll is a time after all times in a snapshot.
	afterAll = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)
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
		"regions": s.codesOfRegion(q.Region), "months": q.Months,
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
