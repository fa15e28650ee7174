package serve

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"labour/serve/labourdata"
	"labour/serve/wire"
)

// The largest `limit` of paged and of unpaged endpoints, and the limit of the
// list of sources, which has no such parameter.
const (
	maxPaged     = 200
	maxUnpaged   = 5000
	sourcesLimit = 500
)

func (a *api) skillsUnmet(ctx context.Context, in *skillsUnmetInput) (*reply[wire.SkillsUnmetRow, wire.PeopleMeta], error) {
	c := callOf(ctx)
	q := labourdata.SkillsUnmetQuery{
		Place: in.Place, Sector: in.Sector, SOC: in.SOC, Source: in.Source, Window: in.Window,
		Skill: in.Skill, By: labourdata.By(in.By), Limit: min(in.Limit, maxPaged),
	}
	if in.Level != "" {
		q.Level, _ = strconv.Atoi(in.Level) // one of 1 to 5, checked
	}
	if in.By != "" && in.Skill == "" {
		c.add(invalidParameter, "by", "by breaks one skill down: give skill too.")
	}
	var after labourdata.SkillsUnmetPosition
	s, release, err := a.resume(c, in.Cursor, &after)
	if err != nil {
		return nil, err
	}
	defer release()
	if in.Cursor != "" {
		q.After = &after
	}
	oneOf(c, s, unknownPlace, "place", in.Place, labourdata.Places)
	oneOf(c, s, invalidParameter, "sector", in.Sector, labourdata.Sectors)
	oneOf(c, s, invalidParameter, "skill", in.Skill, labourdata.Skills)
	if err := c.refused(); err != nil {
		return nil, err
	}
	return answer(ctx, a, question[labourdata.SkillsUnmetRow, wire.SkillsUnmetRow]{
		snapshot: s, limit: q.Limit, row: wire.FromSkillsUnmet, position: skillsUnmetPosition,
		ask: func(ctx context.Context) (labourdata.Page[labourdata.SkillsUnmetRow], error) {
			return s.SkillsUnmet(ctx, q)
		},
	}, func(m wire.Meta) wire.PeopleMeta {
		return wire.PeopleMeta{Meta: m, PeopleAsOf: wire.DateOf(s.PeopleAsOf())}
	})
}

func skillsUnmetPosition(r labourdata.SkillsUnmetRow) any {
	p := labourdata.SkillsUnmetPosition{Rank: r.Rank, Score: r.Score, AdvertsShare: int64(r.AdvertsShare), Skill: r.Skill}
	if r.Bucket != nil {
		p.Bucket = *r.Bucket
	}
	return p
}

func (a *api) skillsGaps(ctx context.Context, in *skillsGapsInput) (*reply[wire.SkillsGapsRow, wire.Meta], error) {
	s, release, err := a.live.Acquire()
	if err != nil {
		return nil, err
	}
	defer release()
	region, err := area(ctx, s, in.Where)
	if err != nil {
		return nil, err
	}
	q := labourdata.SkillsGapsQuery{Country: in.Country, Region: region, SOC: in.SOC, Horizon: in.Horizon, Limit: min(in.Limit, maxUnpaged)}
	return answer(ctx, a, question[labourdata.SkillsGapsRow, wire.SkillsGapsRow]{
		snapshot: s, limit: q.Limit, row: wire.FromSkillsGaps,
		ask: func(ctx context.Context) (labourdata.Page[labourdata.SkillsGapsRow], error) {
			return s.SkillsGaps(ctx, q)
		},
	}, common)
}

func (a *api) courseDemand(ctx context.Context, in *courseDemandInput) (*reply[wire.CourseDemandRow, wire.Meta], error) {
	s, release, err := a.live.Acquire()
	if err != nil {
		return nil, err
	}
	defer release()
	region, err := area(ctx, s, in.Where)
	if err != nil {
		return nil, err
	}
	q := labourdata.CourseDemandQuery{Country: in.Country, Region: region, Metric: in.Metric, SubjectArea: in.SubjectArea, Limit: min(in.Limit, maxUnpaged)}
	return answer(ctx, a, question[labourdata.CourseDemandRow, wire.CourseDemandRow]{
		snapshot: s, limit: q.Limit, row: wire.FromCourseDemand,
		ask: func(ctx context.Context) (labourdata.Page[labourdata.CourseDemandRow], error) {
			return s.CourseDemand(ctx, q)
		},
	}, common)
}

func (a *api) evidence(ctx context.Context, in *evidenceInput) (*reply[wire.EvidenceRow, wire.Meta], error) {
	c := callOf(ctx)
	var after labourdata.EvidencePosition
	s, release, err := a.resume(c, in.Cursor, &after)
	if err != nil {
		return nil, err
	}
	defer release()
	region, err := area(ctx, s, in.Where)
	if err != nil {
		return nil, err
	}
	q := labourdata.EvidenceQuery{Country: in.Country, Region: region, SOC: in.SOC, Kind: in.Kind, Limit: min(in.Limit, maxPaged)}
	if in.Cursor != "" {
		q.After = &after
	}
	return answer(ctx, a, question[labourdata.EvidenceRow, wire.EvidenceRow]{
		snapshot: s, limit: q.Limit, row: wire.FromEvidence,
		position: func(r labourdata.EvidenceRow) any {
			return labourdata.EvidencePosition{PublishedOn: r.PublishedOn, ID: r.ID}
		},
		ask: func(ctx context.Context) (labourdata.Page[labourdata.EvidenceRow], error) { return s.Evidence(ctx, q) },
	}, common)
}

// sources is volatile: `stale` depends on the time of the call as well.
func (a *api) sources(ctx context.Context, _ *sourcesInput) (*reply[wire.SourcesRow, wire.Meta], error) {
	c := callOf(ctx)
	if err := c.refused(); err != nil {
		return nil, err
	}
	s, release, err := a.live.Acquire()
	if err != nil {
		return nil, err
	}
	defer release()
	return answer(ctx, a, question[labourdata.SourcesRow, wire.SourcesRow]{
		snapshot: s, limit: sourcesLimit, volatile: true,
		row: func(r labourdata.SourcesRow) wire.SourcesRow { return wire.FromSources(r, c.at) },
		ask: func(ctx context.Context) (labourdata.Page[labourdata.SourcesRow], error) {
			return s.Sources(ctx, labourdata.SourcesQuery{})
		},
	}, common)
}

func (a *api) regions(ctx context.Context, in *regionsInput) (*reply[wire.RegionsRow, wire.Meta], error) {
	if err := callOf(ctx).refused(); err != nil {
		return nil, err
	}
	s, release, err := a.live.Acquire()
	if err != nil {
		return nil, err
	}
	defer release()
	q := labourdata.RegionsQuery{Kind: in.Kind, NameWords: strings.Fields(in.Name), Limit: min(in.Limit, maxUnpaged)}
	return answer(ctx, a, question[labourdata.RegionsRow, wire.RegionsRow]{
		snapshot: s, limit: q.Limit, row: wire.FromRegions,
		ask: func(ctx context.Context) (labourdata.Page[labourdata.RegionsRow], error) { return s.Regions(ctx, q) },
	}, common)
}

// resume opens a cursor and acquires the snapshot that it belongs to, or the
// current one without a cursor. A cursor that is not ours is a fault like
// others; the current snapshot then serves to find the others.
func (a *api) resume(c *call, token string, position any) (labourdata.Snapshot, func(), error) {
	id := ""
	if token != "" {
		var err error
		if id, err = a.cursors.Open(token, c.route, position); err != nil {
			c.add(invalidCursor, "cursor", "This cursor was not issued here, or for another endpoint. Send meta.next_cursor back unchanged, or start again without cursor.")
		}
	}
	return a.use(id)
}

// oneOf notes a fault when a value is not in a vocabulary, with the nearest.
func oneOf(c *call, s labourdata.Snapshot, code code, parameter, value string, v labourdata.Vocabulary) {
	if value == "" {
		return
	}
	known := s.Values(v)
	if _, found := slices.BinarySearch(known, value); !found {
		near := nearest(value, known, 3)
		message := fmt.Sprintf("There is no %s %s.", parameter, quote(value))
		if len(near) > 0 {
			message += " The nearest: " + strings.Join(near, ", ") + "."
		}
		c.add(code, parameter, message, near...)
	}
}

// area checks country and region, resolves the region to its code, and refuses
// the call when any fault was noted.
func area(ctx context.Context, s labourdata.Snapshot, in Where) (string, error) {
	c, country, region := callOf(ctx), in.Country, in.Region
	if !isCountry(country) {
		c.add(invalidParameter, "country", fmt.Sprintf("There is no country %s in ISO 3166-1.", quote(country)), nearest(country, strings.Fields(countryCodes), 3)...)
	} else if region != "" && country != "GB" {
		c.add(invalidParameter, "region", "Regions cover the United Kingdom only. Leave out region, or country.")
	}
	code := ""
	if region != "" && country == "GB" {
		r, ok := s.ResolveRegion(country, region)
		if !ok {
			c.add(unknownRegion, "region", fmt.Sprintf("There is no region %s. It takes a national-statistics code or the slug of a local skills improvement plan area; /v1/labour/regions lists them.", quote(region)),
				nearest(region, s.Values(labourdata.RegionNames), 3)...)
		}
		code = r.Code
	}
	return code, c.refused()
}

func quote(value string) string { return strconv.Quote(clip(value)) }
