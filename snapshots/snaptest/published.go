package snaptest

import (
	"strings"
	"time"

	"labour/snapshots"
	"labour/snapshots/figure"
)

const (
	ogl      = "Open Government Licence v3.0"
	ogl3Text = "Contains public sector information licensed under the Open Government Licence v3.0."
)

func sources(asOf time.Time, platform string) []snapshots.SourcesRow {
	success := asOf.Add(5 * time.Hour)
	old := asOf.AddDate(-2, 0, 0)
	year := asOf.Format("2006")
	own := "Source: " + platform + "."
	geography := "Source: Office for National Statistics licensed under the Open Government Licence v3.0. Contains OS data © Crown copyright and database right " + year + "."
	row := func(key, publisher, title, kind, licence, statement, cadence string, at *time.Time, counted bool, rows int64) snapshots.SourcesRow {
		return snapshots.SourcesRow{Key: key, Publisher: publisher, Title: title, Kind: kind, Licence: licence,
			Link: "https://example.org/" + key, AttributionStatement: statement, Cadence: cadence,
			LastSuccessAt: at, AdvertsCounted: counted, Rows: rows}
	}
	return []snapshots.SourcesRow{
		row("platform", platform, "Roles posted on the platform", "platform", "Own figures", own, "daily", &success, true, 105),
		row("employer_boards", "Employers", "Employers' own applicant-tracking boards", "employer_boards", "Counts only, by the employers' terms", own, "daily", &success, true, 210),
		row("find_an_apprenticeship", "Department for Education", "Find an apprenticeship", "apprenticeships", ogl, ogl3Text, "daily", &success, true, 105),
		row("dfe_apprenticeships", "Department for Education", "Apprenticeships in England", "statistics", ogl, ogl3Text, "quarterly", &success, false, 8),
		row("skills_imperative_2035", "Skills England", "Labour market projections", "projections", ogl, ogl3Text, "annual", &old, false, 4),
		row("bls_projections", "U.S. Bureau of Labor Statistics", "Employment Projections", "projections", "Public domain", "Source: U.S. Bureau of Labor Statistics.", "annual", nil, false, 0),
		row("ons_geography", "Office for National Statistics", "Names and codes of areas", "geography", ogl, geography, "annual", &success, false, 12),
	}
}

func ptr[T any](v T) *T { return &v }

// demand makes a row whose change is that of its printed values.
func demand(asOf time.Time, metric, region, name, kind, subject string, years int, value, previous int64) snapshots.CourseDemandRow {
	v, p := figure.CountOf(value), figure.CountOf(previous)
	row := snapshots.CourseDemandRow{SourceKey: "dfe_apprenticeships", Metric: metric, Country: "GB", RegionCode: region,
		RegionName: name, RegionKind: kind, SubjectArea: subject,
		PeriodEnd: time.Date(asOf.Year()-years, time.July, 31, 0, 0, 0, 0, time.UTC),
		Value:     v.Value(), ValueStatus: v.Status(), PreviousValue: p.Value(), PreviousValueStatus: p.Status()}
	now, isNumber := v.Number()
	before, wasNumber := p.Number()
	if isNumber && wasNumber && before > 0 {
		row.ChangePct = ptr(figure.ShareTenths(now, before) - 1000)
	}
	return row
}

// courseDemand has every metric, every status on either side, and a change from 0.
func courseDemand(asOf time.Time) []snapshots.CourseDemandRow {
	const starts, further, bootcamps = "apprenticeship_starts", "further_education_enrolments", "skills_bootcamp_starts"
	const england, camden, central = "E92000001", "E09000007", "E69000039"
	return []snapshots.CourseDemandRow{
		demand(asOf, starts, england, "England", "nation", "Total", 0, 339580, 337140),
		demand(asOf, starts, england, "England", "nation", "Total", 1, 337140, 349190),
		demand(asOf, starts, england, "England", "nation", "Health, Public Services and Care", 0, 96450, 95210),
		demand(asOf, starts, camden, "Camden", "council", "Total", 0, 850, 910),
		demand(asOf, starts, camden, "Camden", "council", "Agriculture, Horticulture and Animal Care", 0, 3, 12),
		demand(asOf, starts, camden, "Camden", "council", "Education and Training", 0, 14, 2),
		demand(asOf, starts, camden, "Camden", "council", "Leisure, Travel and Tourism", 0, -1, 20),
		demand(asOf, starts, camden, "Camden", "council", "Retail and Commercial Enterprise", 0, 25, -1),
		demand(asOf, starts, camden, "Camden", "council", "Science and Mathematics", 0, 10, 0),
		demand(asOf, starts, camden, "Camden", "council", "Social Sciences", 0, 0, 5),
		demand(asOf, further, england, "England", "nation", "Total", 0, 1_610_000, 1_590_000),
		demand(asOf, further, central, "Central London Forward", "lsip", "Total", 0, 41200, 40800),
		demand(asOf, bootcamps, england, "England", "nation", "Digital", 0, 18310, 20640),
		demand(asOf, bootcamps, central, "Central London Forward", "lsip", "Digital", 0, 640, -1),
	}
}

func skillsGaps(asOf time.Time) []snapshots.SkillsGapsRow {
	base, horizon := ptr(int32(asOf.Year()-1)), ptr(int32(2035))
	row := func(soc, name, class, country, region, source string, pointing []string, change *figure.Tenths, openings *int64) snapshots.SkillsGapsRow {
		return snapshots.SkillsGapsRow{SOC: soc, Occupation: name, Classification: class, Country: country, RegionCode: region,
			SourcesAgreeing: int32(len(pointing)), PointingSources: strings.Join(pointing, ","), BaseYear: base, HorizonYear: horizon,
			ProjectedChangePct: change, ProjectedOpenings: openings, SourceKey: source}
	}
	both := []string{"dfe_apprenticeships", "skills_imperative_2035"}
	one := both[1:]
	gaps := []snapshots.SkillsGapsRow{
		row("6135", "Care workers and home carers", "SOC2020", "GB", "", one[0], both, ptr(figure.Tenths(184)), ptr(int64(271000))),
		row("2134", "Programmers and software development professionals", "SOC2020", "GB", "", one[0], one, ptr(figure.Tenths(97)), ptr(int64(88000))),
		row("5319", "Construction and building trades n.e.c.", "SOC2020", "GB", "", one[0], nil, ptr(figure.Tenths(-21)), nil),
		row("6135", "Care workers and home carers", "SOC2020", "GB", "E12000007", one[0], both, nil, nil),
		row("15-1252", "Software Developers", "SOC2018-US", "US", "", "bls_projections", []string{"bls_projections"}, ptr(figure.Tenths(179)), ptr(int64(327900))),
	}
	gaps[3].BaseYear, gaps[3].HorizonYear = nil, nil
	return gaps
}

func evidence(asOf time.Time) []snapshots.EvidenceRow {
	row := func(id string, days int, title, kind, signal string, soc, region *string, country, source string) snapshots.EvidenceRow {
		return snapshots.EvidenceRow{ID: source + ":" + id, PublishedOn: asOf.AddDate(0, 0, -days), Title: title,
			Statement: title + ": what the publication says in one sentence.", Kind: kind, Signal: signal, SOC: soc,
			RegionCode: region, Country: country, SourceKey: source, Licence: ogl, Link: "https://example.org/" + source + "/" + id}
	}
	const dfe, skills, bls = "dfe_apprenticeships", "skills_imperative_2035", "bls_projections"
	care, code, london := ptr("6135"), ptr("2134"), ptr("E12000007")
	return []snapshots.EvidenceRow{
		row("starts-1", 3, "Starts in care grew", "statistic", "gap", care, nil, "GB", dfe),
		row("starts-2", 3, "Starts in London fell", "statistic", "none", nil, london, "GB", dfe),
		row("starts-3", 40, "Starts in digital subjects", "statistic", "no_gap", code, nil, "GB", dfe),
		row("2035-1", 200, "Care to 2035", "projection", "gap", care, nil, "GB", skills),
		row("2035-2", 200, "Software to 2035", "projection", "gap", code, nil, "GB", skills),
		row("2035-3", 210, "Care in London to 2035", "report", "gap", care, london, "GB", skills),
		row("news-1", 1, "A headline about care", "news", "gap", care, nil, "GB", skills),
		row("news-2", 15, "A headline about nothing", "news", "none", nil, nil, "GB", dfe),
		row("ooh-1", 90, "Software developers, outlook", "projection", "gap", ptr("15-1252"), nil, "US", bls),
	}
}

func corrections(asOf time.Time) []snapshots.CorrectionsRow {
	old, fresh := "Camdem", "Camden"
	return []snapshots.CorrectionsRow{
		{SourceKey: "ons_geography", Kind: "area", Record: "council E09000007", Field: "name", Old: &old, New: &fresh,
			Reason: "The list of this edition has a misprint.", DecidedBy: "The data team", DecidedOn: asOf.AddDate(0, -1, 0), Outcome: "applied"},
		{SourceKey: "employer_boards", Kind: "advert", Record: "ashby/acme/1", Field: "soc",
			Reason: "The employer told us.", DecidedBy: "The data team", DecidedOn: asOf.AddDate(0, -2, 0), Outcome: "no_record"},
	}
}
