package cells

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"labour/pipeline/disclosure"
	"labour/pipeline/staging"
	"labour/snapshots"
	"labour/snapshots/snaptest"
)

var (
	asOf       = time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	peopleFrom = time.Date(2025, 10, 1, 0, 0, 0, 0, time.UTC)
	peopleTo   = time.Date(2026, 9, 30, 0, 0, 0, 0, time.UTC)
)

func sortedCounts(m map[string]int) []string {
	var out []string
	for k, n := range m {
		out = append(out, fmt.Sprintf("%s = %d", k, n))
	}
	slices.Sort(out)
	return out
}

// sameCounts fails where two sets of counts differ.
func sameCounts(t *rapid.T, what string, want, got map[string]int) {
	if d := cmp.Diff(sortedCounts(want), sortedCounts(got)); d != "" {
		t.Fatalf("%s (-want +got):\n%s", what, d)
	}
}

// countRows counts rows by their text.
func countRows[R any](rows []R) map[string]int {
	n := map[string]int{}
	for _, row := range rows {
		n[fmt.Sprint(row)]++
	}
	return n
}

// person is one who counts, as text.
func person(skill string, kind disclosure.OutcomeKind, had bool, place, sector, soc string, level int,
	source string) string {
	return fmt.Sprint(skill, " ", kind, " ", had, " ", place, " ", sector, " ", soc, " ", level, " ", source)
}

var kinds = map[string]disclosure.OutcomeKind{"for": disclosure.OutcomeTurnedDownForLackOfSkill,
	"hired":  disclosure.OutcomeHired,
	"turned": disclosure.OutcomeTurnedDownAnyReason}

type personRow struct {
	Skill     string `col:"skill"`
	Place     string `col:"place"`
	Sector    string `col:"sector"`
	SOC       string `col:"soc"`
	Level     int8   `col:"level"`
	Source    string `col:"source"`
	Had       bool   `col:"had"`
	Hired     bool   `col:"hired"`
	Latest    bool   `col:"latest"`
	LatestFor bool   `col:"latest_for"`
}

// persons are those who count, by the kinds for which they do.
func persons(rows []personRow) map[string]int {
	out := map[string]int{}
	for _, r := range rows {
		count := func(kind disclosure.OutcomeKind, had bool) {
			out[person(r.Skill, kind, had, r.Place, r.Sector, r.SOC, int(r.Level), r.Source)]++
		}
		if r.Latest {
			outcomes := map[bool]disclosure.OutcomeKind{true: disclosure.OutcomeHired,
				false: disclosure.OutcomeTurnedDownAnyReason}
			count(outcomes[r.Hired], r.Had)
		}
		if r.LatestFor {
			count(disclosure.OutcomeTurnedDownForLackOfSkill, false)
		}
	}
	return out
}

// comparePersons holds who counts against counting by hand.
func comparePersons(t *rapid.T, r raw, got map[string]int) {
	want := map[string]int{}
	for measure, kind := range kinds {
		for _, e := range r.latest(measure) {
			had := e.o.RecordedLevel >= e.o.RequiredLevel && kind != disclosure.OutcomeTurnedDownForLackOfSkill
			want[person(skillList[e.o.Skill], kind, had, e.place, e.advert.Sector, e.advert.SOC, int(e.o.RequiredLevel),
				e.advert.FirstSource)]++
		}
	}
	sameCounts(t, "people", want, got)
}

type askedRow struct {
	Skill  string `col:"skill"`
	Place  string `col:"place"`
	Sector string `col:"sector"`
	SOC    string `col:"soc"`
	Level  int8   `col:"level"`
	Source string `col:"source"`
}

func compareAsked(t *rapid.T, r raw, rows []askedRow) {
	want := map[string]int{}
	for _, a := range r.counted() {
		for _, s := range r.skills {
			if s.Ordinal != a.Ordinal || !recent(a.Advert, 24) {
				continue
			}
			row := askedRow{Skill: skillList[s.Skill], Sector: a.Sector, SOC: a.SOC, Level: meant(s), Source: a.FirstSource}
			placed := false
			for area := range r.areas(a.adverts) {
				if row.Place = area[1]; area[0] == "borough" {
					placed, want[fmt.Sprint(row)] = true, 1
				}
			}
			if row.Place = ""; !placed {
				want[fmt.Sprint(row)] = 1
			}
		}
	}
	sameCounts(t, "required_combinations", want, countRows(rows))
}

type askableRow struct {
	Place  string `col:"place"`
	Filter string `col:"filter"`
	Value  string `col:"value"`
}

// compareAskable holds the floor of adverts against counting by hand.
func compareAskable(t *rapid.T, r raw, rows []askableRow) {
	adverts, employers := map[askableRow]int{}, map[askableRow]map[string]bool{}
	for _, a := range r.counted() {
		if !a.Readable || a.Posted.Before(peopleFrom) || a.Posted.After(peopleTo) {
			continue
		}
		for area := range r.areas(a.adverts) {
			values := []askableRow{{area[1], "none", ""}, {area[1], "source", a.FirstSource}}
			if a.Sector != "" {
				values = append(values, askableRow{area[1], "sector", a.Sector})
			}
			for digits := 1; digits <= len(a.SOC); digits++ {
				values = append(values, askableRow{area[1], "soc", a.SOC[:digits]})
			}
			for _, v := range values {
				if adverts[v]++; employers[v] == nil {
					employers[v] = map[string]bool{}
				}
				employers[v][a.Employer] = true
			}
		}
	}
	want := map[string]int{}
	for v, n := range adverts {
		if n >= 5 && len(employers[v]) >= 3 {
			want[fmt.Sprint(v)] = 1
		}
	}
	sameCounts(t, "answerable_filters", want, countRows(rows))
}

func TestCellsAgainstBruteForce(t *testing.T) {
	snaptest.LimitRapidDraws(t, "16")
	dir := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		r := draw(rt)
		e := r.stage(t, dir, nil)
		defer e.Close()
		compareAdverts(rt, r, advertRows(t, e, dir))
		compareTotals(rt, r, ask[snapshots.AdvertsTotalRow](t, e, dir, QueryAdvertsTotal))
		lists := ask[snapshots.FilterCombinationsRow](t, e, dir, QueryFilterCombinations)
		compareLists(rt, r, lists)
		compareRankings(rt, r, lists, ask[snapshots.RankingsRow](t, e, dir, QuerySkillRankings),
			ask[snapshots.RankingsRow](t, e, dir, QuerySkillRankingsSortedBySkill))
		compareLevels(rt, r, ask[levelRow](t, e, dir, QuerySkillLevels))
		comparePersons(rt, r, persons(ask[personRow](t, e, dir, QueryDecidedApplicants)))
		compareAsked(rt, r, ask[askedRow](t, e, dir, QueryRequiredCombinations))
		compareAskable(rt, r, ask[askableRow](t, e, dir, QueryAnswerableFilters))
		compareResidents(rt, r, ask[applicantRow](t, e, dir, QueryResidentsAndApplicants),
			ask[heldRow](t, e, dir, QueryResidentSkills))
	})
}

func compareAdverts(t *rapid.T, r raw, rows []snapshots.AdvertsRow) {
	want := map[string]int{}
	for _, a := range r.counted() {
		for _, s := range r.skills {
			if s.Ordinal != a.Ordinal {
				continue
			}
			for area := range r.areas(a.adverts) {
				want[fmt.Sprint(skillList[s.Skill], meant(s), area, a.Sector, a.SOC, a.FirstSource, monthOf(a.Posted))]++
			}
		}
	}
	got := map[string]int{}
	for _, x := range rows {
		got[fmt.Sprint(x.Skill, x.Level, [2]string{x.AreaKind, x.Place}, x.Sector, x.SOC, x.Source,
			monthOf(x.Month))] += int(x.Adverts)
	}
	sameCounts(t, "adverts", want, got)
}

func compareTotals(t *rapid.T, r raw, rows []snapshots.AdvertsTotalRow) {
	want, employers := map[string]int{}, map[string]map[string]bool{}
	for _, a := range r.counted() {
		if !a.Readable {
			continue
		}
		name := a.Employer
		if name == "" {
			name = "alone " + a.ID
		}
		for area := range r.areas(a.adverts) {
			k := fmt.Sprint(area, a.Sector, a.SOC, a.FirstSource, monthOf(a.Posted))
			want[k]++
			want[fmt.Sprint(k, " placed ", r.placed(a.adverts))]++
			if employers[k] == nil {
				employers[k] = map[string]bool{}
			}
			employers[k][name] = true
		}
	}
	got := map[string]int{}
	for _, x := range rows {
		k := fmt.Sprint([2]string{x.AreaKind, x.Place}, x.Sector, x.SOC, x.Source, monthOf(x.Month))
		got[k] += int(x.Adverts)
		for placed, n := range []int32{x.Adverts - x.InCouncil - x.InArea, x.InArea, x.InCouncil} {
			if n > 0 {
				got[fmt.Sprint(k, " placed ", placed)] += int(n)
			}
		}
		different := map[int32]bool{x.Employer1: true}
		for _, e := range []*int32{x.Employer2, x.Employer3} {
			if e != nil {
				different[*e] = true
			}
		}
		if len(different) != min(3, len(employers[k])) {
			t.Fatalf("cell %s names %d employers of %d", k, len(different), len(employers[k]))
		}
	}
	sameCounts(t, "totals", want, got)
}

// event is a person's most recent event for one measure and skill.
type event struct {
	o      outcome
	advert staging.Advert
	place  string
}

// latest are the events that count, by the unit of counting.
func (r raw) latest(measure string) []event {
	best := map[string]outcome{}
	for _, o := range r.outcomes {
		is := map[string]bool{"for": !o.Hired && o.TurnedDownFor, "hired": o.Hired, "turned": !o.Hired}[measure]
		if !is || o.Day.Before(peopleFrom) || o.Day.After(peopleTo) || r.vacancyOf(o.AdvertID) < 0 {
			continue
		}
		k := fmt.Sprint(o.Skill, " ", o.ResidentID)
		if b, ok := best[k]; !ok || o.RecordedMicros > b.RecordedMicros || o.RecordedMicros == b.RecordedMicros &&
			o.ApplicationID > b.ApplicationID {
			best[k] = o
		}
	}
	var out []event
	for _, o := range best {
		v := r.vacancyOf(o.AdvertID)
		e := event{o: o, advert: r.adverts[v]}
		areas := r.appliedAreas(v)
		for area := range areas {
			if area[0] == "borough" && (e.place == "" || area[1] < e.place) {
				e.place = area[1]
			}
		}
		for _, p := range r.people {
			if p.ID == o.ResidentID && areas[[2]string{"borough", p.Borough}] {
				e.place = p.Borough
			}
		}
		out = append(out, e)
	}
	return out
}

// vacancyOf is the vacancy that people are counted by behind an advert of the platform, by the advert
// that stands for it in the month, or -1.
func (r raw) vacancyOf(id string) int32 {
	for i, a := range r.adverts {
		if a.ID != id || a.Source != "platform" {
			continue
		}
		for _, c := range r.counted() {
			if slices.Contains(c.adverts, int32(i)) {
				return c.Ordinal
			}
		}
		return r.verdicts[i].AppliedAs
	}
	return -1
}
