package people

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"labour/pipeline/disclosure"
	"labour/pipeline/staging"
	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/sources"
)

// id names a person by the number.
func id(person int32) string { return fmt.Sprint("r-", person) }

// applicants are 12 residents of Camden who seek work in care, 6 of Hackney who seek none, 3 of no
// served borough who seek any work, and 10 people who are no residents.
func applicants() (rows []applicantRow) {
	for person := range int32(31) {
		r := applicantRow{Person: person, Resident: id(person), IsResident: person < 21}
		switch {
		case person < 12:
			r.Borough, r.HighestLevel, r.SeekingWork, r.SectorSought = "camden", 2, true, "care"
		case person < 18:
			r.Borough = "hackney"
		case person < 21:
			r.HighestLevel, r.SeekingWork = 4, true
		}
		rows = append(rows, r)
	}
	return rows
}

// events are 20 people hired for a role that asked for care, 5 of whom had it, and 20 turned down, 10 of
// whom had it: 12 of them for the lack of it.
func events() (rows []personRow) {
	asked := requirementRow{Skill: "care", Place: "camden", Sector: "care", SOC: "2134", Level: 2, Source: "platform"}
	for person := range int32(20) {
		rows = append(rows, personRow{requirementRow: asked, Person: person, HadSkill: person < 5,
			Hired: true, IsLatest: true})
	}
	for person := int32(11); person < 31; person++ {
		rows = append(rows, personRow{requirementRow: asked, Person: person, HadSkill: person < 21, IsLatest: true,
			IsLatestForSkill: person >= 19})
	}
	return append(rows, personRow{requirementRow: asked, Person: 0, HadSkill: true}) // an older event counts for nothing
}

// world writes the answers of the questions, and returns the inputs of the figures of people.
func world(t *testing.T) Inputs {
	t.Helper()
	dir := t.TempDir()
	in := Inputs{Protection: disclosure.ProtectionUnrounded, Skills: []string{"care", "python"}, Sectors: []string{"care",
		"digital"},
		Threads: 1,
		Places: disclosure.NewPlaces([]string{"camden", "hackney"},
			[]disclosure.Area{{Slug: "both", Boroughs: []string{"camden", "hackney"}}})}
	asked := requirementRow{Skill: "care", Place: "camden", Sector: "care", SOC: "2134", Level: 2, Source: "platform"}
	other := asked
	other.Source = "employer_boards"
	held := []skillHolderRow{{"a skill of no register", 0, 1}}
	for person := range int32(12) {
		held = append(held, skillHolderRow{"python", person, 2})
	}
	askable := []askableRow{{"", snapshots.Unfiltered, ""}, {"camden", snapshots.Unfiltered, ""},
		{"", snapshots.FilteredBySector, "care"},
		{"", snapshots.FilteredBySource, "platform"}, {"", snapshots.FilteredBySource, "employer_boards"}}
	in.QueryResults = QueryFiles{
		Applicants: answer(t, dir, "applicants", applicants()), People: answer(t, dir, "people", events()),
		RequiredCombinations: answer(t, dir, "asked", []requirementRow{asked, other}),
		AnswerableFilters: answer(t, dir, "askable",
			askable),
		ResidentSkills: answer(t, dir, "held", held),
	}
	in.Developments = []sources.S106Development{{ID: "d1", Borough: "camden", JobsCreated: 7, ApprenticeshipsStarted: 6,
		LocalPeopleEmployed: 5},
		{ID: "d2", Borough: "hackney", JobsCreated: 8}, {ID: "d3", Borough: "elsewhere", JobsCreated: 5}}
	return in
}

func answer[T any](t *testing.T, dir, name string, rows []T) string {
	t.Helper()
	file, err := staging.WriteRows(dir, name, rows)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// built builds the figures and returns the rows of the table people as text, in order.
func built(t *testing.T, in Inputs) (tables Tables, people []string) {
	t.Helper()
	tables, err := BuildTables(t.Context(), in, func(r snapshots.PeopleRow) error {
		people = append(people, fmt.Sprintln(r.Skill, r.Signature, r.Place, r.Value, count(t, r),
			share(r.HiredWithSkillPct), share(r.TurnedDownWithSkillPct)))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(people)
	return tables, people
}

func count(t *testing.T, r interface{ Count() (figure.Count, error) }) string {
	t.Helper()
	c, err := r.Count()
	if err != nil {
		t.Fatal(err)
	}
	return c.String()
}

func share(s *figure.Tenths) string {
	if s == nil {
		return "null"
	}
	return fmt.Sprint(int64(*s) / 10)
}

// TestPlainFigures holds every figure of a small world, as the true counts print them.
func TestPlainFigures(t *testing.T) {
	tables, people := built(t, world(t))
	want := []string{"care level  2 12 25 50\n", "care none   12 25 50\n", "care place camden  12 25 50\n",
		"care place_level camden 2 12 25 50\n", "care sector  care 12 25 50\n", "care source  platform 12 25 50\n"}
	if !slices.Equal(people, want) {
		t.Errorf("people\n%q, want\n%q", people, want)
	}
	if tables.PeopleTally.Numbers != 6 || tables.PeopleTally.UnderFive != 0 || tables.PeopleTally.WithinSmallGroup != 0 {
		t.Errorf("%+v", tables.PeopleTally)
	}
	var candidates, s106 []string
	for _, r := range tables.Candidates {
		candidates = append(candidates, strings.TrimSpace(r.Dimension+" "+r.Value)+" "+count(t, r))
	}
	want = []string{"all 21", "seeking_work 15", "borough camden 12", "borough hackney 6", "level 1 0", "level 2 12",
		"level 3 0",
		"level 4 <5", "level 5 0", "sector_sought care 12", "sector_sought digital 0"}
	if !slices.Equal(candidates, want) {
		t.Errorf("candidates %q", candidates)
	}
	for _, r := range tables.S106 {
		s106 = append(s106, fmt.Sprint(r.Place, " ", *r.JobsCreated, " ", *r.ApprenticeshipsStarted, " ",
			*r.LocalPeopleEmployed))
	}
	if want = []string{" 20 6 5", "camden 7 6 5", "hackney 8 0 0", "both 15 6 5"}; !slices.Equal(s106, want) {
		t.Errorf("section 106 sites %q", s106)
	}
}

// Combinations under which adverts ask for a skill have a figure, also if nobody was turned down.
func TestCombinationsOfAdvertsHaveFigures(t *testing.T) {
	in, dir := world(t), t.TempDir()
	asked := requirementRow{Skill: "care", Place: "hackney", Sector: "digital", SOC: "2134", Level: 2, Source: "platform"}
	unread := asked
	unread.Skill = "a skill of no register"
	in.QueryResults.RequiredCombinations = answer(t, dir, "asked", []requirementRow{unread, asked})
	in.QueryResults.AnswerableFilters = answer(t, dir, "askable",
		[]askableRow{{"", snapshots.FilteredBySector, "digital"}})
	_, people := built(t, in)
	if want := []string{"care sector  digital 0 null null\n"}; !slices.Equal(people, want) {
		t.Errorf("people\n%q, want\n%q", people, want)
	}
}

// TestSharesOfResidents holds the shares of those who have no or a lower level on record.
func TestSharesOfResidents(t *testing.T) {
	tables, _ := built(t, world(t))
	var got []string
	for _, r := range tables.Residents {
		if r.Place == "" {
			got = append(got, fmt.Sprint(r.Skill, " ", r.Level, " ", share(r.PeopleBelowSharePct)))
		} else if r.PeopleBelowSharePct != nil {
			t.Errorf("a share of fewer than 20 people: %+v", r)
		}
	}
	want := []string{"care 1 100", "care 2 100", "care 3 100", "care 4 100", "care 5 100",
		"python 1 43", "python 2 43", "python 3 100", "python 4 100", "python 5 100"}
	if len(tables.Residents) != 2*4*disclosure.LevelCount || !slices.Equal(got, want) {
		t.Errorf("%d rows, everywhere %q", len(tables.Residents), got)
	}
}

// TestKeysOfRecords holds which records decide the way up or down of a count, under many secrets: people
// by their ids, whatever they count for, and sites by measure and id.
func TestKeysOfRecords(t *testing.T) {
	in := world(t)
	in.Protection = disclosure.ProtectionRounded
	for n := range 20 {
		in.Secret = disclosure.RoundingSecret{byte(n)}
		keys := in.Secret.NewRoundingKeys()
		counted := func(scope string, people int64, ids ...string) string {
			c := disclosure.TrueCount{People: people}
			for _, one := range ids {
				c.Key += keys.KeyOf(scope, one)
			}
			return in.Protection.PublishedCount(c).String()
		}
		var residents, turnedDown []string
		for person := range int32(31) {
			if person < 21 {
				residents = append(residents, id(person))
			}
			if person >= 19 {
				turnedDown = append(turnedDown, id(person))
			}
		}
		tables, people := built(t, in)
		if got, want := count(t, tables.Candidates[0]), counted(disclosure.PeopleKeyScope, 21, residents...); got != want {
			t.Errorf("all residents print %s, want %s", got, want)
		}
		none := " none   " + counted(disclosure.PeopleKeyScope, 12, turnedDown...) + " "
		if !slices.ContainsFunc(people, func(row string) bool { return strings.Contains(row, none) }) {
			t.Errorf("%q is not in %q", none, people)
		}
		if got, want := fmt.Sprint(*tables.S106[0].ApprenticeshipsStarted), counted("s106/apprenticeships_started", 6,
			"d1"); got != want {
			t.Errorf("apprenticeships print %s, want %s", got, want)
		}
	}
}

// TestBuildStops holds that an answer that cannot be read, a row that cannot be written and a context
// that ends are errors, and that progress is reported skill by skill.
func TestBuildStops(t *testing.T) {
	in := world(t)
	missing := t.TempDir() + "/none.parquet"
	for name, broken := range map[string]func(*QueryFiles){
		"applicants": func(a *QueryFiles) { a.Applicants = missing },
		"people":     func(a *QueryFiles) { a.People = missing },
		"asked":      func(a *QueryFiles) { a.RequiredCombinations = missing },
		"askable":    func(a *QueryFiles) { a.AnswerableFilters = missing },
		"held":       func(a *QueryFiles) { a.ResidentSkills = missing },
	} {
		of := in
		broken(&of.QueryResults)
		if _, err := BuildTables(t.Context(), of, func(snapshots.PeopleRow) error { return nil }); err == nil {
			t.Errorf("the answer %s is missing, and that is no error", name)
		}
	}
	full := errors.New("the disk is full")
	if _, err := BuildTables(t.Context(), in, func(snapshots.PeopleRow) error { return full }); !errors.Is(err, full) {
		t.Errorf("a row that cannot be written: %v", err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := BuildTables(ended, in, func(snapshots.PeopleRow) error { return nil }); !errors.Is(err,
		context.Canceled) {
		t.Errorf("a context that has ended: %v", err)
	}
	var told []string
	in.OnSkillDone = func(done, of int) { told = append(told, fmt.Sprint(done, "/", of)) }
	if built(t, in); !slices.Equal(told, []string{"1/2", "2/2"}) {
		t.Errorf("told %v", told)
	}
}
