package ingest

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"labour/pipeline/coding"
	"labour/pipeline/coding/area"
	"labour/pipeline/coding/place"
	"labour/pipeline/counting"
	"labour/pipeline/staging"
	"labour/sources"
)

// A staged advert has its own fields, its councils before those that it may be in, and its skills.
func TestFieldsOfAStagedAdvert(t *testing.T) {
	s := stagerOf(t, "feed")
	advert := liveAdvert()
	undated := sources.Advert{Source: "boards", ID: "b"}
	s.stageAdvert(3, &codedAdvert{advert: advert, employer: "some firm",
		coded: coding.CodedAdvert{Sector: "care", SOC: "2231",
			Readable: true, Skills: []coding.SkillLevel{{Number: 9, Level: 4}, {Number: 2}},
			Place: place.Coding{Precision: place.PrecisionCouncil, Councils: []string{"E09000007"},
				PossibleCouncils: []string{"E09000019"},
				ServedAreas:      []string{"inner"}}}})
	s.stageAdvert(4, &codedAdvert{advert: undated})
	want := []staging.Advert{
		{Ordinal: 3, ID: "17", Source: "feed", FirstSource: "feed", Sector: "care", SOC: "2231", Employer: "some firm",
			Posted: midnight(-3), PlacePrecision: int8(place.PrecisionCouncil), Readable: true},
		{Ordinal: 4, ID: "b", Source: "boards", Precedence: 1, FirstSource: "boards", Posted: midnight(0)}}
	if got := rowsOf[staging.Advert](t, s, "adverts"); !slices.Equal(got, want) {
		t.Errorf("the adverts are %+v, want %+v", got, want)
	}
	if got := rowsOf[staging.AdvertPlace](t, s, "advert_places"); !slices.Equal(got, []staging.AdvertPlace{
		{Ordinal: 3, CouncilCode: "E09000007", IsCertain: true}, {Ordinal: 3, CouncilCode: "E09000019"}}) {
		t.Errorf("the places are %+v", got)
	}
	if got := rowsOf[staging.AdvertArea](t, s, "advert_areas"); !slices.Equal(got, []staging.AdvertArea{
		{Ordinal: 3, Area: "inner"}}) {
		t.Errorf("the areas are %+v", got)
	}
	if got := rowsOf[staging.AdvertSkill](t, s, "advert_skills"); !slices.Equal(got, []staging.AdvertSkill{
		{Ordinal: 3, Skill: 9, Level: 4}, {Ordinal: 3, Skill: 2}}) {
		t.Errorf("the skills are %+v", got)
	}
}

// An imported advert counts for the source of its origin. A source that is not configured is
// credited once.
func TestImportedAdvertsCountForTheirFirstSource(t *testing.T) {
	for _, c := range []struct {
		origin   sources.Origin
		infos    []sources.Info
		want     string
		imported []string
	}{
		{sources.OriginPlatform, configured, "feed", nil},
		{sources.OriginUnknown, configured, "feed", nil},
		{sources.OriginAggregator, configured, "feed", nil},
		{sources.OriginEmployerBoard, configured, "boards", nil},
		{sources.OriginApprenticeship, configured, "service", nil},
		{sources.OriginEmployerBoard, configured[:1], "employer_boards", []string{"employer_boards"}},
		{sources.OriginApprenticeship, configured[:1], "find_an_apprenticeship", []string{"find_an_apprenticeship"}},
	} {
		s := stagerOf(t, "feed")
		s.reader.options.SourceInfos = c.infos
		for range 2 {
			if got := s.reader.firstPosted(&sources.Advert{Source: "feed", Origin: c.origin}); got != c.want {
				t.Errorf("an advert of %q counts for %q, want %q", c.origin, got, c.want)
			}
		}
		var imported []string
		for _, i := range s.reader.result.ImportedSources {
			imported = append(imported, i.Key)
		}
		if !slices.Equal(imported, c.imported) {
			t.Errorf("adverts of %q add the sources %v, want %v", c.origin, imported, c.imported)
		}
	}
}

// A resident has each skill of the register once, at the highest level.
func TestResidentsAreStaged(t *testing.T) {
	registers, err := coding.LoadRegisters(nil)
	if err != nil {
		t.Fatal(err)
	}
	a, b := registers.Skills.Skills()[3].Slug, registers.Skills.Skills()[1].Slug
	s := stagerOf(t, "feed")
	s.reader.result.Registers = registers
	s.resident(&sources.Resident{ID: "r1", Borough: "camden", SeekingWork: true, SectorSought: "care",
		Skills: []sources.SkillLevel{{Skill: a, Level: 2}, {Skill: "no-such-skill", Level: 5}, {Skill: b, Level: 1},
			{Skill: a, Level: 4}, {Skill: a, Level: 3}}})
	s.resident(&sources.Resident{ID: "r2", Borough: "islington", Skills: []sources.SkillLevel{{Skill: b, Level: 5}}})
	number := func(slug string) int16 { n, _ := registers.Skills.FindIndexByLabel(slug); return int16(n) }
	want := []staging.ResidentSkill{{Skill: number(b), Level: 1}, {Skill: number(a), Level: 4},
		{Resident: 1, Skill: number(b), Level: 5}}
	if got := rowsOf[staging.ResidentSkill](t, s, "resident_skills"); number(a) < number(b) || !slices.Equal(got, want) {
		t.Errorf("the skills are %+v, want %+v", got, want)
	}
	residents := []staging.Resident{{ID: "r1", Borough: "camden", SeekingWork: true, SectorSought: "care"},
		{Ordinal: 1, ID: "r2", Borough: "islington"}}
	if got := rowsOf[staging.Resident](t, s, "residents"); !slices.Equal(got, residents) {
		t.Errorf("the residents are %+v, want %+v", got, residents)
	}
	if n := s.reader.result.Residents; n != 2 {
		t.Errorf("%d residents are counted, want 2", n)
	}
	if n := s.report.UnknownSkills(); n != 1 {
		t.Errorf("%d unknown skills are counted, want 1", n)
	}
}

// A figure from 1 to 4 is printed as "<5". A withheld one has no value. The day of publication is
// that of the fetch where none is stated, and the region has the current code.
func TestStatisticsAreStaged(t *testing.T) {
	s := stagerOf(t, "statistics")
	s.reader.result.AreaHistory = area.NewHistory([]sources.AreaCodeChange{{From: "E07000001", To: "E06000061"}})
	stated := sources.Statistic{Source: "dfe", Metric: "apprenticeship_starts", Country: "GB", RegionCode: "E07000001",
		RegionName: "Place", RegionKind: "council", SubjectArea: "Total", PeriodEnd: dayOf(-90), Published: dayOf(-30),
		Series: "full year", Value: 12}
	small, printed, withheld := stated, stated, stated
	small.Value = 4
	printed.Symbol, printed.Value = sources.SymbolUnderFive, 0
	withheld.Symbol, withheld.Value = sources.SymbolNotPublished, 0
	withheld.Published, withheld.RegionCode = sources.Date{}, "E09000007"
	for _, one := range []sources.Statistic{stated, small, printed, withheld} {
		s.statistic(&one)
	}
	row := staging.Statistic{Ordinal: 1, Source: "dfe", Metric: "apprenticeship_starts", Country: "GB",
		RegionCode: "E06000061", RegionName: "Place", RegionKind: "council", SubjectArea: "Total",
		PeriodEnd: midnight(-90), Series: "full year", Value: new(int64(12)), Status: "number", Published: midnight(-30)}
	under := row
	under.Ordinal, under.Value, under.Status = 2, nil, "under_5"
	again := under
	again.Ordinal = 3
	none := under
	none.Ordinal, none.Status, none.Published, none.RegionCode = 4, "", midnight(0), "E09000007"
	want := []staging.Statistic{row, under, again, none}
	if got := rowsOf[staging.Statistic](t, s, "statistics"); !reflect.DeepEqual(got, want) {
		t.Errorf("the figures are %+v, want %+v", got, want)
	}
}

// A figure of a council that is in no list is a fault and is left out. One of a former council is
// kept. Without the list of councils or the changes of their codes every one is kept.
func TestStatisticsOfUnknownCouncils(t *testing.T) {
	of := func(kind, code string) *sources.Statistic {
		return &sources.Statistic{Source: "dfe", Metric: "apprenticeship_starts", Country: "GB", RegionCode: code,
			RegionKind: kind, SubjectArea: "Total", PeriodEnd: dayOf(-90), Value: 12}
	}
	changes := []sources.AreaCodeChange{{From: "E07000163", To: "E06000065"}}
	areas := []sources.Area{{Code: "E09000007", Kind: "council", Edition: "2025"},
		{Code: "E06000065", Kind: "council", Edition: "2023"}, {Code: "E12000007", Kind: "region", Edition: "2026"}}
	s := stagerOf(t, "statistics")
	s.reader.result.changes = changes
	s.reader.learn()
	s.statistic(of("council", "E09000097"))
	s.reader.result.changes, s.reader.result.Areas = nil, areas
	s.reader.learn()
	s.statistic(of("council", "E09000098"))
	s.reader.result.changes = changes
	s.reader.learn()
	for _, code := range []string{"E09000007", "E07000163", "E09000099", "E12000007"} {
		s.statistic(of("council", code))
	}
	s.statistic(of("region", "E12000099"))
	var got []string
	for _, row := range rowsOf[staging.Statistic](t, s, "statistics") {
		got = append(got, row.RegionCode)
	}
	if want := []string{"E09000097", "E09000098", "E09000007", "E06000065", "E12000099"}; !slices.Equal(got, want) {
		t.Errorf("figures of %v are staged, want %v", got, want)
	}
	first := sources.Fault{Source: s.info.Key, Where: "Total to " + dayOf(-90).String(), Code: sources.FaultUnknownPlace,
		Detail: "council E09000099 is neither in the list of councils of 2025 nor in the changes of their codes; " +
			"the figure is not used; update sources.ons_geography if the council is new"}
	if faults := s.report.Samples; len(faults) != 2 || faults[0] != first {
		t.Errorf("the faults are %+v, want 2 and first %+v", faults, first)
	}
	if s.report.Records != -2 { // the test does not count the records that it stages
		t.Errorf("%d records are taken out of the report, want the 2 that are not used", -s.report.Records)
	}
}

// A figure that differs from the one under another code of its council is a fault and is left out. One that is
// withheld, or the same, is none.
func TestContradictedStatistics(t *testing.T) {
	s := stagerOf(t, "statistics")
	s.reader.result.AreaHistory = area.NewHistory([]sources.AreaCodeChange{{From: "E07000101", To: "E06000102"}})
	of := func(code string, value int64, symbol sources.FigureSymbol) *sources.Statistic {
		return &sources.Statistic{Source: "dfe", Metric: "apprenticeship_starts", Country: "GB", RegionCode: code,
			RegionKind: "council", SubjectArea: "Total", PeriodEnd: dayOf(-90), Value: value, Symbol: symbol}
	}
	s.statistic(of("E06000102", 999, sources.SymbolNone))
	s.statistic(of("E07000101", 999, sources.SymbolNone))
	s.statistic(of("E07000101", 0, sources.SymbolNotPublished))
	s.statistic(of("E07000101", 110, sources.SymbolNone))
	if n := len(rowsOf[staging.Statistic](t, s, "statistics")); n != 3 {
		t.Errorf("%d figures are staged, want 3", n)
	}
	if s.report.Records != -1 {
		t.Errorf("%d records are taken out of the report, want the contradicted one", -s.report.Records)
	}
	want := []sources.Fault{{Source: s.info.Key, Where: "Total to " + dayOf(-90).String(), Code: sources.FaultSchema,
		Detail: "two different figures for E06000102, apprenticeship_starts: 999 under E06000102 and 110 under " +
			"E07000101; the second figure is not used"}}
	if faults := s.report.Samples; !slices.Equal(faults, want) {
		t.Errorf("the faults are %+v, want %+v", faults, want)
	}
}

// A borough of a council that was recoded has the current code. One of a council that was split is
// a fault, and is kept.
func TestBoroughsHaveTheCurrentCode(t *testing.T) {
	s := stagerOf(t, "feed")
	s.reader.result.AreaHistory = area.NewHistory([]sources.AreaCodeChange{{From: "E07000001", To: "E06000061"},
		{From: "E07000002", To: "E06000062"}, {From: "E07000002", To: "E06000063"}})
	for _, b := range []sources.Borough{{Slug: "same", Code: "E09000007"}, {Slug: "recoded", Code: "E07000001"},
		{Slug: "split", Code: "E07000002"}} {
		s.borough(b)
	}
	want := []sources.Borough{{Slug: "same", Code: "E09000007"}, {Slug: "recoded", Code: "E06000061"},
		{Slug: "split", Code: "E07000002"}}
	if !slices.Equal(s.reader.result.Boroughs, want) {
		t.Errorf("the boroughs are %+v, want %+v", s.reader.result.Boroughs, want)
	}
	faults := []sources.Fault{{Source: "feed", Where: "borough split", Code: sources.FaultUnknownPlace,
		Detail: `borough "split": council E07000002 is E06000062 and E06000063 today; correct the feed's boroughs`}}
	if !slices.Equal(s.report.Samples, faults) {
		t.Errorf("the faults are %+v, want %+v", s.report.Samples, faults)
	}
}

// A fault of an older extract was reported when that was the newest one. Damage is reported in each.
func TestFaultsOfOlderExtracts(t *testing.T) {
	for _, c := range []struct {
		code     sources.FaultCode
		newest   bool
		reported bool
		damaged  bool
	}{
		{sources.FaultBadValue, true, true, false},
		{sources.FaultBadValue, false, false, false},
		{sources.FaultDamaged, true, true, true},
		{sources.FaultDamaged, false, true, true},
	} {
		s := stagerOf(t, "boards")
		s.history = extractHistory{newest: c.newest, toCache: []sources.Advert{}}
		s.Fault(sources.Fault{Code: c.code})
		if got := s.report.Faults[c.code] == 1; got != c.reported || s.history.isDamaged != c.damaged {
			t.Errorf("%s, newest %v: reported %v, damaged %v", c.code, c.newest, got, s.history.isDamaged)
		}
		if cached := s.history.toCache != nil; cached == c.damaged {
			t.Errorf("%s, newest %v: its adverts are cached: %v", c.code, c.newest, cached)
		}
	}
	s := stagerOf(t, "boards")
	s.Fault(sources.Fault{Code: sources.FaultDamaged})
	s.Fault(sources.Fault{Code: sources.FaultBadValue})
	if !s.history.isDamaged {
		t.Error("an extract stays damaged after another fault")
	}
}

// A row that cannot be staged is an error that names the source. Nothing is staged after it.
func TestNothingIsStagedAfterAnError(t *testing.T) {
	s := stagerOf(t, "boards")
	if err := s.reader.files.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.stageError(nil); err != nil {
		t.Errorf("no error becomes %v", err)
	}
	for range 200_000 { // more than the writer keeps in memory
		appendRow(s, s.reader.files.AdvertAreas, staging.AdvertArea{Area: "a"})
		if s.writeError != nil {
			break
		}
	}
	first := s.writeError
	if first == nil || !strings.HasPrefix(first.Error(), "staging boards: ") {
		t.Fatalf("the error is %v, want one that begins with staging boards", first)
	}
	appendRow(s, s.reader.files.AdvertSkills, staging.AdvertSkill{})
	if s.writeError != first {
		t.Errorf("the first error is replaced by %v", s.writeError)
	}
}

// An advert of a newer extract supersedes the same advert of older ones, not a second one of its
// own extract.
func TestAdvertsOfNewerExtractsSupersede(t *testing.T) {
	a := liveAdvert()
	for _, c := range []struct {
		name           string
		newest, oldest bool
		seen           bool
		want           bool
		noted          int
	}{
		{"the only extract", true, true, true, false, 0},
		{"the newest extract", true, false, false, false, 1},
		{"a middle extract", false, false, false, false, 1},
		{"a middle extract, seen", false, false, true, true, 0},
		{"the oldest extract", false, true, false, false, 0},
		{"the oldest extract, seen", false, true, true, true, 0},
	} {
		h := newExtractHistory(true, nil)
		h.begin(c.newest, c.oldest)
		if c.seen {
			h.adverts[counting.HashOfAdvertID(&a)] = postingMonthOf(&a)
		}
		if got := h.isSuperseded(a); got != c.want || len(h.newAdverts) != c.noted {
			t.Errorf("%s: superseded %v, want %v; %d noted, want %d", c.name, got, c.want, len(h.newAdverts), c.noted)
		}
	}
}

// The key of an advert's places is its councils or else the words of its locations, in any order.
func TestPlaceKeys(t *testing.T) {
	for _, c := range []struct {
		councils  []string
		locations []sources.Location
		want      string
	}{
		{[]string{"E2", "E1"}, []sources.Location{{Text: "Leeds"}}, "E2 E1"},
		{nil, []sources.Location{{Text: "York"}, {Text: "Leeds", Slug: "leeds", Postcode: "LS1"}}, "LeedsleedsLS1 York"},
		{nil, nil, ""},
	} {
		if got := placeKey(&place.Coding{Councils: c.councils}, &sources.Advert{Locations: c.locations}); got != c.want {
			t.Errorf("the key of %v %v is %q, want %q", c.councils, c.locations, got, c.want)
		}
	}
}
