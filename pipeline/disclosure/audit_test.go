package disclosure

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"labour/snapshots"
	"labour/snapshots/figure"
)

// TestTightenKeepsTheTruth: what a reader concludes always holds the true count.
func TestTightenKeepsTheTruth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		table := newTable(w.rules.Places, w.skill)
		counts := table.count(w.skill.People)[TurnedDownFor]
		s := table.system()
		_, asked, _ := table.asked(w.rules, w.skill)
		printed, _ := Rounded.print(counts, asked, s)
		for i := range printed { // whatever is withdrawn besides
			if rapid.IntRange(0, 9).Draw(t, "withdrawn") == 0 {
				printed[i] = figure.Count{}
			}
		}
		a := audit{Rounded, printed, counts}
		k, _ := a.workedOut(s, asked)
		for c, is := range k.at {
			if n := counts[c]; n < is.lo || n > is.hi {
				t.Fatalf("cell %d has %d people, and is taken to have %d to %d", c, n, is.lo, is.hi)
			}
		}
	})
}

// TestAuditLeavesNothing: a second audit of what is printed finds nothing, and only small
// groups or their neighbours were withdrawn.
func TestAuditLeavesNothing(t *testing.T) {
	withdrawn := int64(0)
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		table := newTable(w.rules.Places, w.skill)
		counts := table.count(w.skill.People)[TurnedDownFor]
		s := table.system()
		_, asked, _ := table.asked(w.rules, w.skill)
		printed, _ := Rounded.print(counts, asked, s)
		a := audit{Rounded, printed, counts}
		_, n := a.run(s, asked)
		withdrawn += n
		_, small := a.workedOut(s, asked)
		for _, c := range small {
			t.Fatalf("cell %d of %d people can be worked out", c, counts[c])
		}
	})
	if withdrawn == 0 {
		t.Error("the audit never withdrew anything, so nothing was tried")
	}
}

// TestLargeTablesAreTried: in a table of many columns too, trials leave each small group more
// than one value, whatever the truth is that saves some of them.
func TestLargeTablesAreTried(t *testing.T) {
	found := 0
	for seed := range uint64(12) {
		w := world(seed, 8, 30, 90, 250)
		table := newTable(w.rules.Places, w.skill)
		if len(table.columns) <= smallTable {
			t.Fatalf("the table has %d columns only", len(table.columns))
		}
		counts := table.count(w.skill.People)[TurnedDownFor]
		s := table.system()
		_, asked, _ := table.asked(w.rules, w.skill)
		printed, _ := Rounded.print(counts, asked, s)
		a := audit{Rounded, printed, counts}
		for {
			small := a.reader(s).smallValues(asked)
			if a.withdraw(a.reader(s), small) == 0 {
				break
			}
		}
		k := a.reader(s)
		k.try(asked, counts)
		found += len(k.smallValues(asked))
		a.run(s, asked)
		k = a.reader(s)
		lowest := make([]int32, len(counts))
		for c, is := range k.at {
			lowest[c] = is.lo
		}
		for _, truth := range [][]int32{lowest, make([]int32, len(counts))} { // whatever trials it saves
			k.try(asked, truth)
		}
		for _, c := range k.smallValues(asked) {
			t.Errorf("seed %d: cell %d of %d people can be worked out", seed, c, counts[c])
		}
	}
	if t.Logf("trials found %d", found); found == 0 {
		t.Error("trials found nothing that tightening had not, so nothing was tried")
	}
}

// TestSectorOfFewGroups: education prints 90 and its occupations 30, 50 and "<5". At least
// 88 less at most 32 and 52 are 4, which the groups of several occupations tell only
// together.
func TestSectorOfFewGroups(t *testing.T) {
	of := func(sector uint16, soc string) Combination {
		return Combination{Borough: 1, Sector: sector, SOC: ParseSOC(soc), Level: 1, Source: 1}
	}
	s := &Skill{Names: Names{Sectors: []string{"", "education", "care"}, Sources: []string{"", "platform"}}, Month: MonthOf(2026, 10)}
	for soc, n := range map[string]int{"2311": 16, "2321": 16, "6111": 26, "6112": 26, "4213": 4, "5434": 40} {
		c := of(1, soc)
		if soc == "5434" {
			c.Sector = 2
		}
		s.Asked = append(s.Asked, c, of(2, soc))
		for range n {
			s.People = append(s.People, Person{Combination: c, Kind: TurnedDownFor})
		}
	}
	rules := &Rules{Protection: Rounded, Places: NewPlaces([]string{"camden"}, nil)}
	table := newTable(rules.Places, s)
	counts := table.count(s.People)[TurnedDownFor]
	sums := table.system()
	_, asked, _ := table.asked(rules, s)
	printed, _ := Rounded.print(counts, asked, sums)
	a := audit{Rounded, printed, counts}
	group := table.cell(table.at[column{dimension: occupation, value: uint64(ParseSOC("4"))}], windows-1)
	if is := a.reader(sums).at[group]; is != (interval{4, 4}) {
		t.Errorf("4 people are taken for %+v", is)
	}
	if a.run(sums, asked); printed[group].Status() == figure.Small {
		t.Error("and are printed all the same")
	}
}

// TestASumOfSmallGroups is the plainest table that the audit is for: two groups of 1 to 4
// whose total is at least 8.
func TestASumOfSmallGroups(t *testing.T) {
	printed, tally := Rounded.Lines([]int64{8, 4, 4}, []Sum{{Whole: 0, Parts: []int32{1, 2}}})
	if tally.Withdrawn == 0 {
		t.Errorf("%v: 8 to 12 of two groups of at most 4 makes both 4", printed)
	}
	for _, l := range [][]int64{{40, 20, 20}, {12, 10, 2}, {0, 0, 0}} {
		if printed, tally := Rounded.Lines(l, []Sum{{Whole: 0, Parts: []int32{1, 2}}}); tally.Withdrawn != 0 {
			t.Errorf("%v loses figures: %v", l, printed)
		}
	}
}

// TestPeopleWithoutAnAdvert: people may count where no advert asks for the skill. They are
// in the totals, and are not printed themselves.
func TestPeopleWithoutAnAdvert(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "moved"), 1))
		for i := range w.skill.People {
			if r.IntN(5) == 0 {
				w.skill.People[i].SOC = ParseSOC("9999")
				w.skill.People[i].Borough = uint16(r.IntN(len(w.rules.Places.slugs)))
				w.skill.People[i].Borough = min(w.skill.People[i].Borough, uint16(w.rules.Places.boroughs))
			}
		}
		rows, _ := w.rules.Print(w.skill)
		for _, p := range rows {
			if want := figure.Rounded(w.turnedDown(p.Cell)); p.TurnedDown.Status() != figure.NotPublished && p.TurnedDown != want {
				t.Fatalf("%+v prints %v, want %v", p.Cell, p.TurnedDown, want)
			}
		}
	})
}

// months are the people of one cell by the month of their newest event, as they stand at
// each of several releases: none of an older month is ever added.
func drawMonths(t *rapid.T, releases int) (of []map[Month]int64) {
	now := map[Month]int64{}
	for m := range Month(24) {
		if m < 14 {
			continue
		}
		now[m+1] = int64(rapid.IntRange(0, 2).Draw(t, "people"))
	}
	for r := range releases {
		if r > 0 {
			last := Month(24 + r)
			now[last] = int64(rapid.IntRange(0, 3).Draw(t, "new"))
			for m := range now {
				if m < last && now[m] > 0 && rapid.IntRange(0, 7).Draw(t, "moves") == 0 {
					now[m]--
					now[last]++
				}
			}
		}
		copied := map[Month]int64{}
		for m, n := range now {
			copied[m] = n
		}
		of = append(of, copied)
	}
	return of
}

// TestSeriesLeavesNothing: over all releases nothing of a line can be worked out that could
// not be before, and what is printed is the truth or nothing.
func TestSeriesLeavesNothing(t *testing.T) {
	withdrawn := int64(0)
	rapid.Check(t, func(t *rapid.T) {
		months := drawMonths(t, rapid.IntRange(2, 14).Draw(t, "releases"))
		var past []Release
		for r, of := range months {
			last := Month(24 + r)
			rows, truth := printLine(of, last)
			withdrawn += auditSeries(rows, past, last)
			for i, p := range rows {
				if p.TurnedDown.Status() != figure.NotPublished && p.TurnedDown != figure.Rounded(truth[i]) {
					t.Fatalf("%+v prints %v, want %d rounded", p.Cell, p.TurnedDown, truth[i])
				}
			}
			release := releaseOf(rows, last)
			s := newSeries(append(slices.Clone(past), release))
			s.read(rows[0].line())
			before := slices.Clone(s.printed)
			for i := len(before) - perRelease; i < len(before); i++ {
				before[i] = unknown
			}
			known := s.small(before)
			for _, c := range s.small(s.printed) {
				if !slices.Contains(known, c) {
					t.Fatalf("release %d lets cell %d be worked out", r, c)
				}
			}
			past = append(past, release)
		}
	})
	t.Logf("%d figures withdrawn", withdrawn)
}

// TestSeriesByHand: last month printed "<5" of three months and 5 of six. This month prints
// 0 of three months, and of six months what was in the middle then.
func TestSeriesByHand(t *testing.T) {
	cell := func(window int) Cell { return Cell{snapshots.SigPlace, "camden", "", window} }
	print := func(counts ...int64) (rows []Printed) {
		for w, n := range counts {
			rows = append(rows, Printed{Cell: cell(Windows[w]), TurnedDown: figure.Rounded(n)})
		}
		return rows
	}
	past := releaseOf(print(4, 4, 4, 4), 30)
	// 6 people of 24 months now, of whom at most 4 were there a month ago: 2 or more are of
	// the new month, so that the three months to it have 2 to 4, of whom none is known.
	rows := print(3, 4, 5, 6)
	if n := auditSeries(rows, []Release{past}, 31); n != 0 {
		t.Errorf("%d withdrawn, although nothing follows", n)
	}
	// Nobody new, and 3 months that lost one of at most 1: nothing may say that it was 1.
	past.Counts[cell(3)] = figure.Rounded(1)
	rows = print(0, 8, 8, 8)
	auditSeries(rows, []Release{past}, 31)
	s := newSeries([]Release{past, releaseOf(rows, 31)})
	s.read(rows[0].line())
	for _, c := range s.small(s.printed) {
		t.Errorf("cell %d can be worked out", c)
	}
}

// printLine prints the windows of a place by P1.
func printLine(of map[Month]int64, last Month) (rows []Printed, truth []int64) {
	for _, months := range Windows {
		n := int64(0)
		for m, people := range of {
			if m > last-Month(months) {
				n += people
			}
		}
		rows = append(rows, Printed{Cell: Cell{snapshots.SigPlace, "camden", "", months}, TurnedDown: figure.Rounded(n)})
		truth = append(truth, n)
	}
	return rows, truth
}

// TestResidentsAgainstCounting holds shares of residents against counting.
func TestResidentsAgainstCounting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		residents := w.rules.Places.NoResidents()
		for range rapid.IntRange(0, 300).Draw(t, "residents") {
			borough := uint16(rapid.IntRange(0, w.rules.Places.boroughs).Draw(t, "borough"))
			level := rapid.IntRange(0, Levels).Draw(t, "level")
			for _, place := range w.rules.Places.holding[borough] {
				if int(place) >= len(w.rules.Places.slugs) {
					continue
				}
				residents[place][Levels]++
				for l := level; l < Levels; l++ {
					residents[place][l]++
				}
			}
		}
		shares, _ := w.rules.Residents(residents)
		for place, levels := range shares {
			for l, share := range levels {
				want := ResidentShare(figure.Rounded(residents[place][l]), figure.Rounded(residents[place][Levels]))
				if share != nil && (want == nil || *share != *want) {
					t.Fatalf("place %d below %d: %v, want %v", place, l+1, *share, want)
				}
				if n := residents[place][l]; share == nil && n >= 5 && residents[place][Levels] >= 25 && residents[place][Levels]-n >= 25 {
					t.Fatalf("place %d below %d: no share of %d in %d", place, l+1, n, residents[place][Levels])
				}
			}
		}
	})
}

func releaseOf(rows []Printed, month Month) Release {
	r := Release{month, map[Cell]figure.Count{}}
	for _, p := range rows {
		r.Counts[p.Cell] = p.TurnedDown
	}
	return r
}
