package serve

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"labour/serve/api"
)

// The largest `limit` of paged and of unpaged endpoints, and the limit of the
// list of sources, which has no such parameter.
const (
	maxPaged     = 200
	maxUnpaged   = 5000
	sourcesLimit = 500
)

func skillsUnmet(c *call, in *skillsUnmetInput) listQuery[api.SkillsUnmetRow] {
	q := api.SkillsUnmetQuery{
		Place: in.Place, Sector: in.Sector, SOC: in.SOC, Source: in.Source, Window: in.Window,
		Skill: in.Skill, By: breakdown(in.By), Limit: min(in.Limit, maxPaged),
	}
	if in.Level != "" {
		q.Level, _ = strconv.Atoi(in.Level) // one of 1 to 5, checked
	}
	if in.By != "" && in.Skill == "" {
		c.add(invalidParameter, "by", "by breaks one skill down: give skill too.")
	}
	var after api.SkillsUnmetPosition
	if in.Cursor != "" {
		q.After = &after
	}
	empty := "Fewer than 5 counted adverts, or adverts of fewer than 3 employers, match these filters, so no figures are shown. Leave out a filter, or ask for a longer window."
	if in.Skill != "" {
		empty = "No matching advert asks for this skill, or fewer than 5 counted adverts, or adverts of fewer than 3 employers, match. Leave out a filter, or ask for a longer window."
	}
	return listQuery[api.SkillsUnmetRow]{
		empty:  empty,
		format: in.Format, limit: q.Limit, from: start{in.Cursor, &after, in.Snapshot}, position: func(r api.SkillsUnmetRow) any { return r.Position() },
		check: func(s api.Snapshot) {
			oneOf(c, s, unknownPlace, "place", in.Place, api.Places)
			oneOf(c, s, invalidParameter, "sector", in.Sector, api.Sectors)
			oneOf(c, s, invalidParameter, "skill", in.Skill, api.Skills)
			oneOf(c, s, invalidParameter, "soc", in.SOC, api.Occupations)
		},
		ask: func(ctx context.Context, s api.Snapshot) (api.Page[api.SkillsUnmetRow], error) {
			return s.SkillsUnmet(ctx, q)
		},
	}
}

// breakdown returns what the parameter by means; the specification calls soc SOC 2020.
func breakdown(by string) api.By {
	if by == "soc2020" || by == "SOC 2020" {
		return api.BySOC
	}
	return api.By(by)
}

func skillsGaps(c *call, in *skillsGapsInput) listQuery[api.SkillsGapsRow] {
	q := api.SkillsGapsQuery{Country: in.Country, SOC: in.SOC, Horizon: in.Horizon, Limit: min(in.Limit, maxUnpaged)}
	return listQuery[api.SkillsGapsRow]{
		format: in.Format, limit: q.Limit, from: start{snapshot: in.Snapshot},
		check: func(s api.Snapshot) { q.Region = area(c, s, in.Where) },
		ask: func(ctx context.Context, s api.Snapshot) (api.Page[api.SkillsGapsRow], error) {
			return s.SkillsGaps(ctx, q)
		},
	}
}

func courseDemand(c *call, in *courseDemandInput) listQuery[api.CourseDemandRow] {
	q := api.CourseDemandQuery{Country: in.Country, Metric: in.Metric, SubjectArea: in.SubjectArea, Limit: min(in.Limit, maxUnpaged)}
	return listQuery[api.CourseDemandRow]{
		format: in.Format, limit: q.Limit, from: start{snapshot: in.Snapshot},
		check: func(s api.Snapshot) { q.Region = area(c, s, in.Where) },
		ask: func(ctx context.Context, s api.Snapshot) (api.Page[api.CourseDemandRow], error) {
			return s.CourseDemand(ctx, q)
		},
	}
}

func evidence(c *call, in *evidenceInput) listQuery[api.EvidenceRow] {
	q := api.EvidenceQuery{Country: in.Country, SOC: in.SOC, Kind: in.Kind, Limit: min(in.Limit, maxPaged)}
	var after api.EvidencePosition
	if in.Cursor != "" {
		q.After = &after
	}
	return listQuery[api.EvidenceRow]{
		format: in.Format, limit: q.Limit, from: start{in.Cursor, &after, in.Snapshot},
		position: func(r api.EvidenceRow) any { return r.Position() },
		check:    func(s api.Snapshot) { q.Region = area(c, s, in.Where) },
		ask: func(ctx context.Context, s api.Snapshot) (api.Page[api.EvidenceRow], error) {
			return s.Evidence(ctx, q)
		},
	}
}

// sources depends on the time of the call too: of it `stale` is made.
func sources(c *call, in *sourcesInput) listQuery[api.SourcesRow] {
	return listQuery[api.SourcesRow]{
		format: in.Format, limit: sourcesLimit, from: start{snapshot: in.Snapshot}, ofTheMoment: true,
		adjust: func(r *api.SourcesRow) { r.Stale = r.StaleAt(c.at) },
		ask: func(ctx context.Context, s api.Snapshot) (api.Page[api.SourcesRow], error) {
			return s.Sources(ctx, api.SourcesQuery{})
		},
	}
}

func regions(_ *call, in *regionsInput) listQuery[api.RegionsRow] {
	q := api.RegionsQuery{Kind: in.Kind, Name: in.Name, Limit: min(in.Limit, maxUnpaged)}
	return listQuery[api.RegionsRow]{
		format: in.Format, limit: q.Limit, from: start{snapshot: in.Snapshot},
		ask: func(ctx context.Context, s api.Snapshot) (api.Page[api.RegionsRow], error) { return s.Regions(ctx, q) },
	}
}

// oneOf notes a fault when a value is not in a vocabulary, with the nearest.
func oneOf(c *call, s api.Snapshot, code code, parameter, value string, v api.Vocabulary) {
	if value == "" {
		return
	}
	known := s.Values(v)
	if _, found := slices.BinarySearch(known, value); !found {
		near := nearestNamed(value, s.Named(v), 3)
		message := fmt.Sprintf("There is no %s %s.", parameter, quote(value))
		if len(near) > 0 {
			message += " The nearest: " + strings.Join(near, ", ") + "."
		}
		c.add(code, parameter, message, near...)
	}
}

// area checks country and region and resolves the region to its code.
func area(c *call, s api.Snapshot, in Where) string {
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
			nearest(region, s.Values(api.RegionNames), 3)...)
	}
	if ok && !slices.ContainsFunc(s.Values(api.RegionNames), func(name string) bool { return strings.EqualFold(name, region) }) {
		c.note = fmt.Sprintf("The code %s was replaced by %s, which answers.", strings.ToUpper(region), r.Code)
	}
	return r.Code
}

func quote(value string) string { return strconv.Quote(clip(value)) }

// countryCodes are the officially assigned ISO 3166-1 alpha-2 codes, sorted.
const countryCodes = "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ " +
	"CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR " +
	"GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP " +
	"KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ " +
	"NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW " +
	"SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ " +
	"UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW"

// isCountry reports whether a text is a country code, in upper case.
func isCountry(code string) bool {
	return len(code) == 2 && strings.Contains(" "+countryCodes+" ", " "+code+" ")
}
