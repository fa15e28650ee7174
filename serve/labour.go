package serve

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

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

func skillsUnmet(c *call, in *skillsUnmetInput) listing[labourdata.SkillsUnmetRow, wire.SkillsUnmetRow] {
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
	if in.Cursor != "" {
		q.After = &after
	}
	return listing[labourdata.SkillsUnmetRow, wire.SkillsUnmetRow]{
		format: in.Format, limit: q.Limit, from: start{in.Cursor, &after}, row: wire.FromSkillsUnmet, position: func(r labourdata.SkillsUnmetRow) any { return r.Position() },
		check: func(s labourdata.Snapshot) {
			oneOf(c, s, unknownPlace, "place", in.Place, labourdata.Places)
			oneOf(c, s, invalidParameter, "sector", in.Sector, labourdata.Sectors)
			oneOf(c, s, invalidParameter, "skill", in.Skill, labourdata.Skills)
		},
		ask: func(ctx context.Context, s labourdata.Snapshot) (labourdata.Page[labourdata.SkillsUnmetRow], error) {
			return s.SkillsUnmet(ctx, q)
		},
	}
}

func skillsGaps(c *call, in *skillsGapsInput) listing[labourdata.SkillsGapsRow, wire.SkillsGapsRow] {
	q := labourdata.SkillsGapsQuery{Country: in.Country, SOC: in.SOC, Horizon: in.Horizon, Limit: min(in.Limit, maxUnpaged)}
	return listing[labourdata.SkillsGapsRow, wire.SkillsGapsRow]{
		format: in.Format, limit: q.Limit, kept: true, row: wire.FromSkillsGaps,
		check: func(s labourdata.Snapshot) { q.Region = area(c, s, in.Where) },
		ask: func(ctx context.Context, s labourdata.Snapshot) (labourdata.Page[labourdata.SkillsGapsRow], error) {
			return s.SkillsGaps(ctx, q)
		},
	}
}

func courseDemand(c *call, in *courseDemandInput) listing[labourdata.CourseDemandRow, wire.CourseDemandRow] {
	q := labourdata.CourseDemandQuery{Country: in.Country, Metric: in.Metric, SubjectArea: in.SubjectArea, Limit: min(in.Limit, maxUnpaged)}
	return listing[labourdata.CourseDemandRow, wire.CourseDemandRow]{
		format: in.Format, limit: q.Limit, kept: true, row: wire.FromCourseDemand,
		check: func(s labourdata.Snapshot) { q.Region = area(c, s, in.Where) },
		ask: func(ctx context.Context, s labourdata.Snapshot) (labourdata.Page[labourdata.CourseDemandRow], error) {
			return s.CourseDemand(ctx, q)
		},
	}
}

func evidence(c *call, in *evidenceInput) listing[labourdata.EvidenceRow, wire.EvidenceRow] {
	q := labourdata.EvidenceQuery{Country: in.Country, SOC: in.SOC, Kind: in.Kind, Limit: min(in.Limit, maxPaged)}
	var after labourdata.EvidencePosition
	if in.Cursor != "" {
		q.After = &after
	}
	return listing[labourdata.EvidenceRow, wire.EvidenceRow]{
		format: in.Format, limit: q.Limit, kept: true, from: start{in.Cursor, &after}, row: wire.FromEvidence,
		position: func(r labourdata.EvidenceRow) any { return r.Position() },
		check:    func(s labourdata.Snapshot) { q.Region = area(c, s, in.Where) },
		ask: func(ctx context.Context, s labourdata.Snapshot) (labourdata.Page[labourdata.EvidenceRow], error) {
			return s.Evidence(ctx, q)
		},
	}
}

// sources depends on the time of the call too: of it `stale` is made.
func sources(c *call, in *sourcesInput) listing[labourdata.SourcesRow, wire.SourcesRow] {
	return listing[labourdata.SourcesRow, wire.SourcesRow]{
		format: in.Format, limit: sourcesLimit, kept: true, until: untilStale,
		row: func(r labourdata.SourcesRow) wire.SourcesRow { return wire.FromSources(r, c.at) },
		ask: func(ctx context.Context, s labourdata.Snapshot) (labourdata.Page[labourdata.SourcesRow], error) {
			return s.Sources(ctx, labourdata.SourcesQuery{})
		},
	}
}

// untilStale is the last moment at which those of the sources are fresh that are fresh
// at a moment; zero when none is, since what is stale stays so.
func untilStale(rows []labourdata.SourcesRow, at time.Time) (until time.Time) {
	for _, r := range rows {
		if r.Stale(at) {
			continue
		}
		if last := r.FreshUntil(); until.IsZero() || last.Before(until) {
			until = last
		}
	}
	return until
}

func regions(_ *call, in *regionsInput) listing[labourdata.RegionsRow, wire.RegionsRow] {
	q := labourdata.RegionsQuery{Kind: in.Kind, Name: in.Name, Limit: min(in.Limit, maxUnpaged)}
	return listing[labourdata.RegionsRow, wire.RegionsRow]{
		format: in.Format, limit: q.Limit, kept: true, row: wire.FromRegions,
		ask: func(ctx context.Context, s labourdata.Snapshot) (labourdata.Page[labourdata.RegionsRow], error) {
			return s.Regions(ctx, q)
		},
	}
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

// area checks country and region and resolves the region to its code.
func area(c *call, s labourdata.Snapshot, in Where) string {
	country, region := in.Country, in.Region
	if !isCountry(country) {
		c.add(invalidParameter, "country", fmt.Sprintf("There is no country %s in ISO 3166-1.", quote(country)), nearest(country, strings.Fields(countryCodes), 3)...)
	} else if region != "" && country != "GB" {
		c.add(invalidParameter, "region", "Regions cover the United Kingdom only. Leave out region, or country.")
	}
	if region == "" || country != "GB" {
		return ""
	}
	r, ok := s.ResolveRegion(country, region)
	if !ok {
		c.add(unknownRegion, "region", fmt.Sprintf("There is no region %s. It takes a national-statistics code or the slug of a local skills improvement plan area; /v1/labour/regions lists them.", quote(region)),
			nearest(region, s.Values(labourdata.RegionNames), 3)...)
	}
	return r.Code
}

func quote(value string) string { return strconv.Quote(clip(value)) }
