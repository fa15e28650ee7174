package cells

import (
	stdcmp "cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"labour/pipeline/disclosure"
	"labour/pipeline/headcount"
	"labour/pipeline/staging"
	"labour/snapshots"
)

var (
	asOf       = time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	peopleAsOf = time.Date(2026, 9, 30, 0, 0, 0, 0, time.UTC)
)

func sortedCounts(m map[string]int) []string {
	var out []string
	for k, n := range m {
		out = append(out, fmt.Sprintf("%s = %d", k, n))
	}
	slices.Sort(out)
	return out
}

// truthRow is what is counted of a skill in a cell.
type truthRow struct {
	Skill string
	disclosure.Truth
}

// truth lets headcount count what the engine writes for it.
func truth(t testing.TB, e *Engine, dir string) []truthRow {
	t.Helper()
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	ctx, outcomes, adverts := context.Background(), filepath.Join(dir, "outcomes"), filepath.Join(dir, "adverts.parquet")
	must(os.RemoveAll(outcomes))
	must(e.Outcomes(ctx, outcomes))
	in := headcount.Inputs{Outcomes: outcomes, Adverts: adverts, PeopleAsOf: peopleAsOf, Areas: map[string][]string{}}
	for _, m := range members {
		in.Areas[m.Borough] = append(in.Areas[m.Borough], m.Area)
	}
	people, err := headcount.Open(ctx, in)
	must(err)
	var out []truthRow
	for s, err := range people.Skills(ctx) {
		must(err)
		counted, err := people.Truth(s)
		must(err)
		for _, c := range counted {
			out = append(out, truthRow{s.Name, c})
		}
	}
	return out
}

type residentRow struct {
	Place     string `col:"place"`
	Skill     string `col:"skill"`
	Residents int64  `col:"residents"`
	Below     int64  `col:"below"`
}

func TestCellsAgainstBruteForce(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		r := draw(rt)
		e := r.stage(t, dir)
		defer e.Close()
		compareAdverts(rt, r, advertRows(t, e, dir))
		compareTotals(rt, r, ask[snapshots.AdvertsTotalRow](t, e, dir, AdvertsTotal))
		compareTruth(rt, r, truth(t, e, dir))
		compareResidents(rt, r, ask[residentRow](t, e, dir, Residents))
	})
}

func compareAdverts(t *rapid.T, r raw, rows []snapshots.AdvertsRow) {
	want := map[string]int{}
	for _, a := range r.counted() {
		for _, s := range r.skills {
			if s.Ordinal != a.Ordinal {
				continue
			}
			for area := range r.areas(a.Ordinal) {
				want[fmt.Sprint(skillList[s.Skill].Skill, s.Level, area, a.Sector, a.SOC, a.Source, monthOf(a.Posted))]++
			}
		}
	}
	got := map[string]int{}
	for _, x := range rows {
		got[fmt.Sprint(x.Skill, x.Level, [2]string{x.AreaKind, x.Place}, x.Sector, x.SOC, x.Source, monthOf(x.Month))] += int(x.Adverts)
	}
	if d := cmp.Diff(sortedCounts(want), sortedCounts(got)); d != "" {
		t.Fatalf("adverts (-want +got):\n%s", d)
	}
}

func compareTotals(t *rapid.T, r raw, rows []snapshots.AdvertsTotalRow) {
	want, employers := map[string]int{}, map[string]map[string]bool{}
	for _, a := range r.counted() {
		name := a.Employer
		if name == "" {
			name = "alone " + a.ID
		}
		for area := range r.areas(a.Ordinal) {
			k := fmt.Sprint(area, a.Sector, a.SOC, a.Source, monthOf(a.Posted))
			want[k]++
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
	if d := cmp.Diff(sortedCounts(want), sortedCounts(got)); d != "" {
		t.Fatalf("totals (-want +got):\n%s", d)
	}
}

// event is a person's most recent event for one measure and skill.
type event struct {
	o      outcome
	advert staging.Advert
	place  string
	age    int
}

// latest are the events that count, by the unit of counting.
func (r raw) latest(measure string) []event {
	best := map[string]outcome{}
	from := time.Date(2024, 10, 1, 0, 0, 0, 0, time.UTC)
	for _, o := range r.outcomes {
		is := map[string]bool{"for": !o.Hired && o.TurnedDownFor, "hired": o.Hired, "turned": !o.Hired}[measure]
		if !is || o.RecordedAt.Before(from) || !o.RecordedAt.Before(peopleAsOf.AddDate(0, 0, 1)) || r.vacancyOf(o.Advert) < 0 {
			continue
		}
		k := fmt.Sprint(o.Skill, " ", o.Resident)
		if b, ok := best[k]; !ok || o.RecordedAt.After(b.RecordedAt) || o.RecordedAt.Equal(b.RecordedAt) && o.Application > b.Application {
			best[k] = o
		}
	}
	var out []event
	for _, o := range best {
		v := r.vacancyOf(o.Advert)
		e := event{o: o, advert: r.adverts[v], age: (2026-o.RecordedAt.Year())*12 + 9 - int(o.RecordedAt.Month())}
		for area := range r.areas(v) {
			if area[0] == "borough" && (e.place == "" || area[1] < e.place) {
				e.place = area[1]
			}
		}
		for _, p := range r.people {
			if p.ID == o.Resident && r.areas(v)[[2]string{"borough", p.Borough}] {
				e.place = p.Borough
			}
		}
		out = append(out, e)
	}
	return out
}

// vacancyOf is the counted vacancy behind an advert of the platform, or -1.
func (r raw) vacancyOf(id string) int32 {
	for i, a := range r.adverts {
		if a.ID == id && a.Source == "platform" {
			return r.verdicts[i].CountedAs
		}
	}
	return -1
}

// in says whether an event is in a cell.
func (e event) in(x truthRow) bool {
	if x.Place != "" && x.Place != e.place && !slices.Contains(members, Member{x.Place, e.place}) {
		return false
	}
	dim := strings.TrimPrefix(x.Signature, "place_")
	switch dim {
	case "sector":
		return e.advert.Sector == x.Value && e.age < x.Window
	case "soc":
		return e.advert.SOC == x.Value && e.age < x.Window
	case "level":
		return fmt.Sprint(e.o.AskedLevel) == x.Value && e.age < x.Window
	case "source":
		return e.advert.Source == x.Value && e.age < x.Window
	case "month":
		return monthOf(e.o.RecordedAt) == x.Value
	}
	return e.age < x.Window
}

func compareTruth(t *rapid.T, r raw, rows []truthRow) {
	seen := map[string]bool{}
	measures := map[string][]event{"for": r.latest("for"), "hired": r.latest("hired"), "turned": r.latest("turned")}
	for _, x := range rows {
		key := fmt.Sprint(x.Skill, x.Signature, x.Place, x.Value, x.Window)
		if seen[key] {
			t.Fatalf("cell %s is there twice", key)
		}
		seen[key] = true
		want := truthRow{x.Skill, disclosure.Truth{Cell: x.Cell, Unlisted: x.Unlisted}}
		count := func(m int, measure string, had bool, n *int64) {
			employers := map[string]int64{}
			for _, e := range measures[measure] {
				if skillList[e.o.Skill].Skill == x.Skill && e.in(x) && (measure == "for" || (e.o.HeldLevel >= e.o.AskedLevel) == had) {
					name := stdcmp.Or(e.advert.Employer, "alone "+e.advert.ID)
					employers[name]++
					*n, want.By[m].Largest = *n+1, max(want.By[m].Largest, employers[name])
					for i, recent := range []int{3, 6} {
						if strings.HasPrefix(x.Signature, "place_") && x.Window == 12 && e.age < recent {
							want.Recent[m][i]++
						}
					}
				}
			}
			want.By[m].Number = int64(len(employers))
		}
		count(0, "for", false, &want.TurnedDownFor)
		count(1, "hired", true, &want.HiredWith)
		count(2, "hired", false, &want.HiredWithout)
		count(3, "turned", true, &want.TurnedDownWith)
		count(4, "turned", false, &want.TurnedDownWithout)
		if x != want {
			t.Fatalf("truth %+v, want %+v", x, want)
		}
		if x.Unlisted {
			if r.asks(x) || want.TurnedDownFor+want.HiredWith+want.HiredWithout+want.TurnedDownWith+want.TurnedDownWithout == 0 {
				t.Fatalf("cell %+v is unlisted", x)
			}
			delete(seen, key)
		}
	}
	r.gridIsWhole(t, seen)
}

// asks says whether a counted advert asks for the skill in the cell.
func (r raw) asks(x truthRow) bool {
	for _, a := range r.counted() {
		for _, s := range r.skills {
			e := event{o: outcome{OutcomeSkill: staging.OutcomeSkill{AskedLevel: s.Level}}, advert: a}
			if s.Ordinal != a.Ordinal || skillList[s.Skill].Skill != x.Skill {
				continue
			}
			for area := range r.areas(a.Ordinal) {
				e.place = area[1]
				if area[1] == x.Place && (e.in(x) || strings.HasSuffix(x.Signature, "month")) {
					return true
				}
			}
		}
	}
	return false
}

// gridIsWhole says that every cell in which a counted advert asks for a skill is there.
func (r raw) gridIsWhole(t *rapid.T, seen map[string]bool) {
	for _, a := range r.counted() {
		for _, s := range r.skills {
			if s.Ordinal != a.Ordinal {
				continue
			}
			for area := range r.areas(a.Ordinal) {
				need := [][4]any{{"none", "", "", 3}, {"none", "", "", 24}, {"sector", "", a.Sector, 6}, {"source", "", a.Source, 12}, {"month", "", "2026-09", 1}}
				if area[1] != "" {
					need = append(need, [4]any{"place", area[1], "", 3}, [4]any{"place_soc", area[1], a.SOC, 12},
						[4]any{"place_level", area[1], fmt.Sprint(s.Level), 24}, [4]any{"place_month", area[1], "2026-08", 1})
				}
				for _, n := range need {
					known := n[2] != "" && n[2] != "0" || n[0] == "none" || n[0] == "place"
					if key := fmt.Sprint(skillList[s.Skill].Skill, n[0], n[1], n[2], n[3]); known && !seen[key] {
						t.Fatalf("cell %s is missing", key)
					}
				}
			}
		}
	}
}

func compareResidents(t *rapid.T, r raw, rows []residentRow) {
	places := map[string]bool{}
	for _, x := range rows {
		places[x.Place] = true
		var residents, below int64
		for _, p := range r.people {
			if x.Place != "" && x.Place != p.Borough && !slices.Contains(members, Member{x.Place, p.Borough}) {
				continue
			}
			residents++
			reached := false
			for _, h := range r.held {
				s := skillList[h.Skill]
				reached = reached || h.Resident == p.Ordinal && s.Skill == x.Skill && int(h.Level) >= s.ReferenceLevel
			}
			if !reached {
				below++
			}
		}
		if x.Residents != residents || x.Below != below {
			t.Fatalf("residents %+v, want %d of %d", x, below, residents)
		}
	}
	if len(rows) != len(places)*len(skillList) || len(r.people) > 0 && !places[""] {
		t.Fatalf("%d rows for %d places", len(rows), len(places))
	}
}
