package cells

import (
	stdcmp "cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"labour/pipeline/staging"
	"labour/snapshots"
)

// meant is the level that an advert asks for: the one that it states, or the usual one.
func meant(s staging.AdvertSkill) int8 { return stdcmp.Or(s.Level, register[s.Skill].DefaultLevel) }

// asked lists the adverts that match the filters of a list, and whether so many employers as
// the floor wants are among them.
func (r raw) asked(l snapshots.FilterCombinationsRow) (matching []countedAdvert, enough bool) {
	employers := map[string]bool{}
	for _, a := range r.counted() {
		in := recent(a.Advert, int(l.WindowMonths))
		if l.Month != nil {
			in = !a.Posted.Before(*l.Month) && a.Posted.Before(l.Month.AddDate(0, int(l.WindowMonths), 0))
		}
		placed := l.Place == ""
		for area := range r.areas(a.adverts) {
			placed = placed || area[1] == l.Place
		}
		if in && placed && a.Readable && strings.HasPrefix(a.SOC, l.SOC) && (l.Sector == "" || a.Sector == l.Sector) &&
			(l.Source == "" || a.FirstSource == l.Source) {
			matching = append(matching, a)
			employers[a.Employer] = true
		}
	}
	return matching, len(matching) >= 5 && len(employers) >= 3
}

// compareLists asks for every combination of filters by hand.
func compareLists(t *rapid.T, r raw, got []snapshots.FilterCombinationsRow) {
	want := map[string]int{}
	first := time.Date(asOf.Year(), asOf.Month(), 1, 0, 0, 0, 0, time.UTC)
	for _, l := range everyList(first) {
		matching, shown := r.asked(l)
		if !shown {
			continue
		}
		sources := map[string]bool{}
		for _, a := range matching {
			sources[a.FirstSource] = true
			switch r.placed(a.adverts) {
			case 2:
				l.InCouncil++
			case 1:
				l.InArea++
			}
		}
		l.Adverts, l.Sources = int32(len(matching)), strings.Join(slices.Sorted(maps.Keys(sources)), ",")
		want[listText(l)] = 1
	}
	all := map[string]int{}
	for i, l := range got {
		if l.List != int32(i+1) {
			t.Fatalf("list %d is number %d", i+1, l.List)
		}
		all[listText(l)]++
	}
	sameCounts(t, "lists", want, all)
	table, _ := snapshots.FindTable("lists")
	for i, l := range snapshots.SortedRows(table, got) {
		if l.List != int32(i+1) {
			t.Fatalf("list %d is out of order", l.List)
		}
	}
}

func everyList(first time.Time) (all []snapshots.FilterCombinationsRow) {
	for _, source := range []string{"", "platform", "employer_boards"} {
		for _, soc := range []string{"", "2", "21", "213", "2134", "6", "61", "613", "6135"} {
			for _, sector := range []string{"", "care", "digital"} {
				for _, place := range []string{"", "camden", "hackney", "islington", "north", "all-three"} {
					l := snapshots.FilterCombinationsRow{Source: source, SOC: soc, Sector: sector, Place: place, WindowMonths: 1}
					for back := range 24 {
						month := first.AddDate(0, -back, 0)
						l.Month = &month
						all = append(all, l)
					}
					for back := 0; back < 8; back++ { // quarters; the first month of the oldest is January 2025
						month := time.Date(2026, time.October, 1, 0, 0, 0, 0, time.UTC).AddDate(0, -3*back, 0)
						l.Month, l.WindowMonths = &month, 3
						all = append(all, l)
					}
					for l.Month, l.WindowMonths = nil, 3; l.WindowMonths <= 24; l.WindowMonths *= 2 {
						all = append(all, l)
					}
				}
			}
		}
	}
	return all
}

func listText(l snapshots.FilterCombinationsRow) string {
	month := ""
	if l.Month != nil {
		month = monthOf(*l.Month)
	}
	l.List, l.Month = 0, nil
	return fmt.Sprintf("%s %+v", month, l)
}

// asks reports whether an advert asks for a skill, by its number.
func (r raw) asks(ordinal int32, skill int) bool {
	return slices.ContainsFunc(r.skills, func(s staging.AdvertSkill) bool {
		return s.Ordinal == ordinal && int(s.Skill) == skill
	})
}

func compareRankings(t *rapid.T, r raw, lists []snapshots.FilterCombinationsRow, got, bySkill []snapshots.RankingsRow) {
	want := map[string]int{}
	for _, l := range lists {
		matching, _ := r.asked(l)
		if l.Month != nil {
			continue
		}
		for k, skill := range skillList {
			n := 0
			for _, a := range matching { // a vacancy stands there once for each of its months
				if r.asks(a.Ordinal, k) {
					n++
				}
			}
			if n > 0 {
				want[fmt.Sprint(snapshots.RankingsRow{List: l.List, Skill: skill, Adverts: int32(n)})] = 1
			}
		}
	}
	sameCounts(t, "rankings", want, countRows(got))
	sameCounts(t, "rankings by skill", want, countRows(bySkill))
	for name, rows := range map[string][]snapshots.RankingsRow{"rankings": got, "rankings_by_skill": bySkill} {
		table, _ := snapshots.FindTable(name)
		if !slices.Equal(rows, snapshots.SortedRows(table, rows)) {
			t.Fatalf("%s is out of order", name)
		}
	}
}

type levelRow struct {
	Skill string `col:"skill"`
	Level int8   `col:"level"`
}

// compareLevels takes the level that most adverts ask for, the lower one on a tie.
func compareLevels(t *rapid.T, r raw, got []levelRow) {
	want := map[string]int{}
	for k, skill := range skillList {
		asked := map[int8]int{}
		for _, a := range r.counted() {
			for _, s := range r.skills {
				if s.Ordinal == a.Ordinal && int(s.Skill) == k && a.Readable && recent(a.Advert, 24) {
					asked[meant(s)]++
				}
			}
		}
		best := int8(0)
		for level := int8(1); level <= 5; level++ {
			if asked[level] > asked[best] {
				best = level
			}
		}
		if best > 0 {
			want[fmt.Sprint(levelRow{skill, best})] = 1
		}
	}
	sameCounts(t, "levels", want, countRows(got))
}

// TestFloorOfLists: a list is shown from 5 adverts of 3 employers on, and no other, whichever
// of the two it lacks.
func TestFloorOfLists(t *testing.T) {
	for _, c := range []struct {
		employers string // of each advert, a letter
		shown     bool
	}{{"aabbc", true}, {"aabc", false}, {"abcd", false}, {"aaaaaaabb", false}, {"abababab", false}, {"aabcc", true}} {
		r := raw{}
		for i, e := range c.employers {
			r.adverts = append(r.adverts, staging.Advert{Ordinal: int32(i), ID: fmt.Sprint("a", i), Source: "platform",
				FirstSource: "platform",
				Sector:      "care", SOC: "6135", Employer: string(e), Posted: asOf.AddDate(0, 0, -i%9), Readable: true})
			r.verdicts = append(r.verdicts, countedVacancy(i, i))
			r.skills = append(r.skills, staging.AdvertSkill{Ordinal: int32(i)})
		}
		dir := t.TempDir()
		e := r.stage(t, dir, nil)
		lists, rankings := ask[snapshots.FilterCombinationsRow](t, e, dir, QueryFilterCombinations),
			ask[snapshots.RankingsRow](t, e, dir,
				QuerySkillRankings)
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		// Two sources, two sectors and five lengths of occupation, by four windows, a month and a
		// quarter.
		if want := 2 * 2 * 5 * 6; c.shown && (len(lists) != want || len(rankings) != want/6*4) || !c.shown &&
			len(lists)+len(rankings) > 0 {
			t.Errorf("employers %s: %d lists with %d rankings", c.employers, len(lists), len(rankings))
		}
	}
}

// TestFloorOfWindows: two employers are two employers, in however many months they posted adverts; and
// the same floor decides the filters that people may be counted for.
func TestFloorOfWindows(t *testing.T) {
	for _, c := range []struct {
		adverts string // employer and age in months of each advert
		soc     string
		shown   bool
	}{
		{"a0 b0 a1 b1 a1", "6135", false}, {"a0 b0 a4 b4 a4 b8", "6135", false}, {"a3 b3 a4 b4 a5", "", false},
		{"a0 b0 a1 b1 c1", "6135", true}, {"a1 b1 c1 a2", "6135", false}, {"a1 b2 c3 a4 b5", "", true},
	} {
		r := raw{}
		for i, advert := range strings.Fields(c.adverts) {
			r.adverts = append(r.adverts, staging.Advert{Ordinal: int32(i), ID: fmt.Sprint("a", i), Source: "platform",
				FirstSource: "platform", SOC: c.soc, Employer: advert[:1], Readable: true,
				Posted: time.Date(peopleTo.Year(), peopleTo.Month()-time.Month(advert[1]-'0'), 1+i, 0, 0, 0, 0, time.UTC)})
			r.verdicts = append(r.verdicts, countedVacancy(i, i))
			r.skills = append(r.skills, staging.AdvertSkill{Ordinal: int32(i)})
		}
		dir := t.TempDir()
		e := r.stage(t, dir, nil)
		lists, askable := ask[snapshots.FilterCombinationsRow](t, e, dir, QueryFilterCombinations), ask[askableRow](t, e, dir,
			QueryAnswerableFilters)
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		var filters []askableRow
		if c.shown {
			filters = append(filters, askableRow{"", "none", ""})
			for digits := range len(c.soc) {
				filters = append(filters, askableRow{"", "soc", c.soc[:digits+1]})
			}
			filters = append(filters, askableRow{"", "source", "platform"})
		}
		if (len(lists) > 0) != c.shown || !slices.Equal(askable, filters) {
			t.Errorf("adverts %s: %d lists, filters for people %v, want %v", c.adverts, len(lists), askable, filters)
		}
	}
}

// TestFloorOfQuarters: a quarter is shown from 5 adverts of 3 employers on, in whichever of its months
// they are, and the one that begins before the 24 months is not: what is left of it is no quarter.
func TestFloorOfQuarters(t *testing.T) {
	for _, c := range []struct {
		months string // of each advert, counted from December 2024 as a
		shown  string // first months of the quarters, with their adverts
	}{
		{"bbccd", "2025-01-01 5"},
		{"bccd", ""},
		{"aaaaabbddb", "2025-01-01 5"},
		{"deeffgg", "2025-04-01 6"},
		{"wwwxx", "2026-10-01 5"},
		{"vwwxx", ""},
	} {
		r := raw{}
		for i, m := range c.months {
			r.adverts = append(r.adverts, staging.Advert{Ordinal: int32(i), ID: fmt.Sprint("a", i), Source: "platform",
				FirstSource: "platform", SOC: "6135", Employer: fmt.Sprint(i), Readable: true,
				Posted: time.Date(2024, time.December, 1, 0, 0, 0, 0, time.UTC).AddDate(0, int(m-'a'), i)})
			r.verdicts = append(r.verdicts, countedVacancy(i, i))
			r.skills = append(r.skills, staging.AdvertSkill{Ordinal: int32(i)})
		}
		dir := t.TempDir()
		e := r.stage(t, dir, nil)
		var shown []string
		for _, l := range ask[snapshots.FilterCombinationsRow](t, e, dir, QueryFilterCombinations) {
			if l.Month != nil && l.WindowMonths == 3 && l.SOC+l.Source == "" {
				shown = append(shown, fmt.Sprint(l.Month.Format(time.DateOnly), " ", l.Adverts))
			}
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(shown, ", "); got != c.shown {
			t.Errorf("months %s: quarters %q, want %q", c.months, got, c.shown)
		}
	}
}

// recent reports whether an advert was posted in the last months, the running one included.
func recent(a staging.Advert, months int) bool {
	first := time.Date(asOf.Year(), asOf.Month(), 1, 0, 0, 0, 0, time.UTC).AddDate(0, 1-months, 0)
	return !a.Posted.Before(first)
}
