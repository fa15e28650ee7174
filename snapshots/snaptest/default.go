package snaptest

import (
	"testing"

	"labour/snapshots"
)

// servedArea is the one place of Default that is a union of boroughs.
const servedArea = "central-london"

func areaBoroughs() []string { return []string{"camden", "westminster"} }

func placeSlugs() []string { return []string{"camden", "central-london", "islington", "westminster"} }

func sectorSlugs() []string {
	return []string{"care-services", "construction-and-the-built-environment", "digital"}
}

func skillSlugs() []string {
	return []string{"care-planning", "customer-service", "project-management", "python", "site-safety", "sql"}
}

// Default is a lifelike content for a date (YYYY-MM-DD): three boroughs and a
// served area of two of them, three sectors, six skills, adverts of three sources
// over 14 months, people with every kind of token, and rows of every kind in the
// published tables.
func Default(t testing.TB, asOf string) Content {
	t.Helper()
	date, err := snapshots.ParseDate(asOf)
	if err != nil {
		t.Fatal(err)
	}
	const platform = "London Works"
	list := adverts(date.Time)
	c := Content{
		PlatformName: platform,
		PeopleAsOf:   monthEnd(date).String(),
		Adverts:      countAdverts(list), AdvertsTotal: countTotals(list),
		Corrections: corrections(date.Time), CourseDemand: courseDemand(date.Time), Evidence: evidence(date.Time), Levels: levels(),
		Occupations: occupationNames(), Outlines: outlines(), People: people(date.Time), PlaceMembers: members(), Places: places(),
		Regions: regions(), Residents: residents(), Sectors: sectors(), Skills: skills(),
		SkillsGaps: skillsGaps(date.Time), Sources: sources(date.Time, platform),
		Candidates: candidates(), Events: events(date.Time), Jobs: jobs(date.Time), Pathways: pathways(date.Time),
		PathwayStandards: pathwayStandards(), PathwaySteps: pathwaySteps(), S106: s106(), Held: held(date.Time),
	}
	return c
}

// monthEnd is the last day of the month before the date's.
func monthEnd(d snapshots.Date) snapshots.Date {
	return snapshots.DateOf(d.AddDate(0, 0, -d.Day()))
}

func places() []snapshots.PlacesRow {
	return []snapshots.PlacesRow{
		{Place: "camden", Name: "Camden", AreaKind: snapshots.AreaBorough, Code: "E09000007"},
		{Place: "islington", Name: "Islington", AreaKind: snapshots.AreaBorough, Code: "E09000019"},
		{Place: "westminster", Name: "Westminster", AreaKind: snapshots.AreaBorough, Code: "E09000033"},
		{Place: servedArea, Name: "Central London", AreaKind: snapshots.AreaServed},
	}
}

// outlines are made up: three boroughs side by side, one with an island.
func outlines() []snapshots.OutlinesRow {
	row := func(place, code, polygons string) snapshots.OutlinesRow {
		return snapshots.OutlinesRow{Place: place, Code: code, Outline: "MULTIPOLYGON(" + polygons + ")", SourceKey: "ons_geography"}
	}
	return []snapshots.OutlinesRow{
		row("camden", "E09000007", "((-0.2 51.53,-0.13 51.52,-0.12 51.56,-0.16 51.58,-0.2 51.53))"),
		row("islington", "E09000019", "((-0.13 51.52,-0.08 51.52,-0.09 51.57,-0.12 51.56,-0.13 51.52)),((-0.07 51.53,-0.06 51.53,-0.06 51.54,-0.07 51.53))"),
		row("westminster", "E09000033", "((-0.2 51.53,-0.19 51.5,-0.12 51.49,-0.08 51.52,-0.13 51.52,-0.2 51.53))"),
	}
}

func members() []snapshots.PlaceMembersRow {
	var rows []snapshots.PlaceMembersRow
	for _, b := range areaBoroughs() {
		rows = append(rows, snapshots.PlaceMembersRow{Area: servedArea, Borough: b})
	}
	return rows
}

func sectors() []snapshots.SectorsRow {
	return []snapshots.SectorsRow{{Sector: "care-services", Name: "Care services"}, {Sector: "digital", Name: "Digital"},
		{Sector: "construction-and-the-built-environment", Name: "Construction and the built environment"}}
}

func skills() []snapshots.SkillsRow {
	return []snapshots.SkillsRow{
		{Skill: "python", Name: "Python", ReferenceLevel: 3, Kind: "technical", Wordings: "python|{python,py} scripting"}, {Skill: "sql", Name: "SQL", ReferenceLevel: 2, Kind: "technical", Wordings: "sql|relational databases"},
		{Skill: "customer-service", Name: "Customer service", ReferenceLevel: 2, Kind: "retail", Wordings: "customer {service,care}"},
		{Skill: "care-planning", Name: "Care planning", ReferenceLevel: 3, Kind: "care", Wordings: "care {plan,plans,planning}"},
		{Skill: "site-safety", Name: "Site safety", ReferenceLevel: 1, Kind: "licence", Wordings: "cscs|site safety"},
		{Skill: "project-management", Name: "Project management", ReferenceLevel: 4, Kind: "management", Wordings: "manag{e,ing} projects|project management"},
	}
}

func occupationNames() []snapshots.OccupationsRow {
	return []snapshots.OccupationsRow{
		{SOC: "2", Name: "Professional occupations"},
		{SOC: "21", Name: "Science, research, engineering and technology professionals"},
		{SOC: "213", Name: "Information technology professionals"},
		{SOC: "2134", Name: "Programmers and software development professionals"},
		{SOC: "5", Name: "Skilled trades occupations"}, {SOC: "53", Name: "Skilled construction and building trades"},
		{SOC: "531", Name: "Construction and building trades"}, {SOC: "5319", Name: "Construction and building trades n.e.c."},
		{SOC: "6", Name: "Caring, leisure and other service occupations"}, {SOC: "61", Name: "Caring personal service occupations"},
		{SOC: "613", Name: "Caring personal services"}, {SOC: "6135", Name: "Care workers and home carers"},
	}
}

// regions has one region of each kind, a Welsh name, and an area that crosses nations.
func regions() []snapshots.RegionsRow {
	england, wales := ptr("E92000001"), ptr("W92000004")
	row := func(code, name, kind string, nation, welsh, slug *string) snapshots.RegionsRow {
		return snapshots.RegionsRow{Code: code, Name: name, NameWelsh: welsh, Kind: kind, NationCode: nation, Slug: slug, SourceKey: "ons_geography"}
	}
	former := func(r snapshots.RegionsRow, codes string) snapshots.RegionsRow {
		r.FormerCodes = &codes
		return r
	}
	return []snapshots.RegionsRow{
		row("E92000001", "England", "nation", england, nil, nil),
		row("W92000004", "Wales", "nation", wales, ptr("Cymru"), nil),
		row("E12000007", "London", "region", england, nil, nil),
		former(row("E09000007", "Camden", "council", england, nil, nil), "E09999907"),
		row("E09000019", "Islington", "council", england, nil, nil),
		row("E09000033", "Westminster", "council", england, nil, nil),
		row("W06000015", "Cardiff", "council", wales, ptr("Caerdydd"), nil),
		row("E30000234", "London", "travel_to_work_area", england, nil, nil),
		row("K01000011", "Chester", "travel_to_work_area", nil, nil, nil),
		row("W22000024", "Cardiff", "travel_to_work_area", wales, nil, nil),
		row("E69000039", "Central London Forward", "lsip", england, nil, ptr("central-london-forward")),
		row("TLI", "London", "itl1", england, nil, nil),
		row("TLI3", "Inner London - West", "itl2", england, nil, nil),
		row("TLI36", "Camden", "itl3", england, nil, nil),
	}
}
