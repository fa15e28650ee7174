package main

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/pipeline/calendar"
	"labour/pipeline/coding"
	"labour/pipeline/coding/place"
	"labour/pipeline/coding/skill"
	"labour/pipeline/config"
	"labour/pipeline/counting"
	"labour/pipeline/disclosure"
	"labour/pipeline/protected"
	"labour/snapshots/figure"
	"labour/sources"
	"labour/sources/all"
	"labour/sources/archive"
)

// oracle answers skills-not-met from the raw records in plain Go, one record at a
// time, with no cell, no roll-up and no SQL.
type oracle struct {
	asOf, from, to sources.Date // the last two are of the figures of people
	skills         map[string]skill.Skill
	areas          map[string][]string // served place → its boroughs
	vacancies      []vacancy
	residents      []sources.Resident
	latest         map[string][]outcome // measure → most recent event per skill and person
	people         map[string]map[disclosure.Cell]disclosure.PublishedCell
	shares         map[string]*figure.Tenths // printed
	floor          map[[3]string]bool        // whether a place with a filter and its value can be asked for
}

// vacancy is one counted vacancy in one of the months in which it counts.
type vacancy struct {
	source, sector, soc, employer string
	month                         int // months since year 0
	boroughs                      map[string]bool
	areas                         map[string]bool // served areas that count it though its borough is not known
	asked                         map[string]int  // skill → level stated, or the usual one
}

// outcome is one person's most recent event for a skill.
type outcome struct {
	skill, place string
	v            *vacancy
	level        int
	had          bool
}

func monthNumber(d sources.Date) int { return d.Year*12 + int(d.Month) - 1 }

// newOracle reads the archive of a data directory with the real connectors.
func newOracle(t *testing.T, c *config.Config, data string, asOf sources.Date) *oracle {
	t.Helper()
	records := readRecords(t, c, data)
	o := &oracle{asOf: asOf, skills: map[string]skill.Skill{}, areas: map[string][]string{},
		floor: map[[3]string]bool{}, latest: map[string][]outcome{},
		people: map[string]map[disclosure.Cell]disclosure.PublishedCell{}, shares: map[string]*figure.Tenths{}}
	year := calendar.YearToLastQuarter(asOf)
	o.from, o.to = year.From, year.To
	registers, err := coding.LoadRegisters(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range registers.Skills.Skills() {
		o.skills[s.Slug] = s
	}
	adverts, councils, boundaries, boroughs := advertsAndPlaces(records)
	for _, b := range boroughs {
		o.areas[b.Slug] = []string{b.Slug}
	}
	o.residents = only[sources.Resident](records)
	for _, a := range c.ServedAreas {
		o.areas[a.Slug] = a.Boroughs
	}
	gazetteer, faults := place.NewGazetteer(councils, boundaries, boroughs, servedAreas(c, boroughs)...)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	behind := o.count(adverts, &coding.Coder{Registers: registers, Gazetteer: gazetteer}, boroughs)
	o.events(only[sources.Application](records), behind, registers.Skills)
	return o
}

func readRecords(t *testing.T, c *config.Config, data string) []sources.Record {
	t.Helper()
	list, err := all.ConfiguredSources(c.Sources, c.Platform)
	if err != nil {
		t.Fatal(err)
	}
	store, err := archive.Open(protected.ArchiveDir(data))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	got := &collected{}
	for _, s := range list {
		x, ok, err := store.LastExtract(s.Info().Key)
		if !ok || err != nil {
			t.Fatalf("nothing was fetched of %s: %v", s.Info().Key, err)
		}
		if err := s.Read(context.Background(), x, store, got); err != nil {
			t.Fatal(err)
		}
	}
	return got.records
}

type collected struct{ records []sources.Record }

func (c *collected) Emit(r sources.Record) error { c.records = append(c.records, r); return nil }
func (c *collected) Fault(sources.Fault)         {}

// count makes the vacancies, and returns the vacancy behind each advert of the
// platform.
func (o *oracle) count(adverts []sources.Advert, coder *coding.Coder, boroughs []sources.Borough) map[string]*vacancy {
	slugs := map[string]string{}
	for _, b := range boroughs {
		slugs[b.Code] = b.Slug
	}
	candidates := make([]counting.AdvertFields, len(adverts))
	coded := make([]coding.CodedAdvert, len(adverts))
	for i := range adverts {
		coded[i] = coder.CodeAdvert(&adverts[i])
		candidates[i] = counting.NewAdvertFields(&adverts[i], coded[i].Place.Country,
			samePlace(&adverts[i], coded[i].Place.Councils))
	}
	verdicts := verdictsOn(candidates, o.asOf)
	settlePlaces(adverts, coded)
	made, members := map[int]*vacancy{}, map[int][]int{}
	behind := map[string]*vacancy{}
	for i := range adverts {
		at := verdicts[i].AppliedAs
		if at < 0 {
			continue
		}
		v := made[at]
		if v == nil {
			v = o.newVacancy(&adverts[at], &coded[at], at)
			made[at] = v
		}
		if adverts[i].Source == "platform" {
			behind[adverts[i].ID] = v
		}
		if verdicts[i].CountedAs < 0 && verdicts[at].CountedAs >= 0 {
			continue // it is too old to tell of a vacancy that is counted
		}
		v.addPlaces(&coded[i], slugs)
		members[at] = append(members[at], i)
	}
	for _, at := range sortedKeysOf(made) {
		if verdicts[at].CountedAs < 0 {
			continue // people count for it, and adverts do not
		}
		for _, m := range monthsOf(adverts, members[at]) {
			chosen := firstOfMonth(adverts, m.adverts)
			if slices.Contains(m.adverts, at) {
				chosen = at
			}
			v := o.newVacancy(&adverts[chosen], &coded[chosen], at)
			v.month = m.month
			for _, i := range m.adverts {
				v.addPlaces(&coded[i], slugs)
				if adverts[i].Source == "platform" {
					behind[adverts[i].ID] = v
				}
			}
			o.vacancies = append(o.vacancies, *v)
		}
	}
	return behind
}

// firstPosted is the source that an advert counts under: where it was first posted.
func firstPosted(a sources.Advert) string {
	switch a.Origin {
	case sources.OriginEmployerBoard:
		return "employer_boards"
	case sources.OriginApprenticeship:
		return "find_an_apprenticeship"
	}
	return a.Source
}

// servedAreas are the served areas of the configuration with the codes of their boroughs.
func servedAreas(c *config.Config, boroughs []sources.Borough) (served []place.ServedArea) {
	for _, a := range c.ServedAreas {
		area := place.ServedArea{Slug: a.Slug, Name: a.Name}
		for _, b := range boroughs {
			if slices.Contains(a.Boroughs, b.Slug) {
				area.Councils = append(area.Councils, b.Code)
			}
		}
		served = append(served, area)
	}
	return served
}

// settlePlaces places an advert with a name of several places in the one in which its
// employer has other adverts, if it has none in the others.
func settlePlaces(adverts []sources.Advert, coded []coding.CodedAdvert) {
	employer := func(i int) string { return counting.NormaliseEmployer(adverts[i].Employer) }
	elsewhere := map[string]map[string]bool{}
	for i := range adverts {
		if elsewhere[employer(i)] == nil {
			elsewhere[employer(i)] = map[string]bool{}
		}
		for _, code := range coded[i].Place.Councils {
			elsewhere[employer(i)][code] = true
		}
	}
	for i := range coded {
		at := slices.DeleteFunc(slices.Clone(coded[i].Place.PossibleCouncils),
			func(code string) bool { return !elsewhere[employer(i)][code] })
		if len(at) == 1 && employer(i) != "" {
			coded[i].Place.Councils = at
		}
	}
}

func sortedKeysOf(m map[int]*vacancy) []int {
	keys := make([]int, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func samePlace(a *sources.Advert, councils []string) string {
	if len(councils) > 0 {
		return strings.Join(councils, " ")
	}
	var words []string
	for _, l := range a.Locations {
		words = append(words, l.Text+l.Slug+l.Postcode)
	}
	slices.Sort(words)
	return strings.Join(words, " ")
}

// events keeps each person's most recent event per measure and skill.
func (o *oracle) events(applications []sources.Application, behind map[string]*vacancy, register *skill.Register) {
	home := map[string]string{}
	for _, r := range o.residents {
		home[r.ID] = r.Borough
	}
	type found struct {
		at          time.Time
		application string
		outcome
	}
	best := map[string]map[string]found{"for": {}, "hired": {}, "turned": {}}
	for _, a := range applications {
		v := behind[a.Advert]
		day := sources.LocalDateOf(a.RecordedAt)
		hired := a.Outcome == sources.OutcomeHired
		if v == nil || !hired && a.Outcome != sources.OutcomeTurnedDown || day.Before(o.from) || o.to.Before(day) {
			continue
		}
		for _, k := range a.Skills {
			number, ok := register.FindIndexByLabel(k.Skill)
			if !ok {
				continue
			}
			slug, asked := register.Slug(number), k.AskedLevel
			if register.IsLicence(number) {
				asked = 1 // it is held or not
			}
			f := found{a.RecordedAt, a.ID, outcome{skill: slug, place: eventPlace(v, home[a.Resident]), v: v,
				level: asked, had: k.HeldLevel >= asked}}
			for measure, is := range map[string]bool{"for": !hired && k.TurnedDownFor, "hired": hired,
				"turned": !hired} {
				key := slug + " " + a.Resident
				b, seen := best[measure][key]
				if is && (!seen || f.at.After(b.at) || f.at.Equal(b.at) && f.application > b.application) {
					best[measure][key] = f
				}
			}
		}
	}
	for measure, byPerson := range best {
		for _, f := range byPerson {
			o.latest[measure] = append(o.latest[measure], f.outcome)
		}
	}
}

// eventPlace is the borough in which an event counts: the applicant's own if the
// vacancy is there, else the vacancy's first.
func eventPlace(v *vacancy, home string) string {
	if v.boroughs[home] {
		return home
	}
	first := ""
	for b := range v.boroughs {
		if first == "" || b < first {
			first = b
		}
	}
	return first
}

// advertPrecedence are the sources of adverts in the configured order.
var advertPrecedence = []string{"platform", "employer_boards", "find_an_apprenticeship"}

// verdictsOn returns the verdicts of the counting rules on the candidates, in their order.
func verdictsOn(candidates []counting.AdvertFields, asOf sources.Date) (verdicts []counting.Verdict) {
	deduper := counting.NewDeduper(counting.Policy{AsOf: asOf, Precedence: advertPrecedence})
	for i := range candidates {
		deduper.Add(&candidates[i])
	}
	for _, v := range deduper.Verdicts() {
		verdicts = append(verdicts, v)
	}
	return verdicts
}
