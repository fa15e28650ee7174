package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"labour/pipeline/disclosure"
	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/snapshots/parquetio"
)

// takePrinted takes what is printed of people from the snapshot's table and holds each
// figure against the truth: a count is the true one to the nearest 5, a share is that of
// counts so rounded. What the audit withdraws is the matter of package disclosure.
func (o *oracle) takePrinted(t *testing.T, file string) {
	t.Helper()
	truths := o.truths()
	large, shown := 0, 0
	err := parquetio.Read(file, func(r snapshots.PeopleRow) error {
		c := disclosure.Cell{Signature: r.Signature, Place: r.Place, Value: r.Value, Window: int(r.WindowMonths)}
		truth := truths[r.Skill][c]
		if truth == nil {
			return fmt.Errorf("%s %+v is no cell in which a counted advert asks for the skill", r.Skill, c)
		}
		count, err := r.Count()
		if err != nil {
			return err
		}
		if count != (figure.Count{}) && count.String() != rounded(truth.turnedDownFor) {
			t.Errorf("%s %+v prints %v, the truth is %d", r.Skill, c, count, truth.turnedDownFor)
		}
		checkShare(t, r.HiredWithSkillPct, truth.hiredWith, truth.hired)
		checkShare(t, r.TurnedDownWithSkillPct, truth.turnedDownWith, truth.turnedDown)
		if truth.turnedDownFor >= 5 {
			large++
			if count.Status() == figure.Number {
				shown++
			}
		}
		if o.people[r.Skill] == nil {
			o.people[r.Skill] = map[disclosure.Cell]disclosure.Printed{}
		}
		o.people[r.Skill][c] = disclosure.Printed{Cell: c, TurnedDown: count, HiredWith: r.HiredWithSkillPct, TurnedDownWith: r.TurnedDownWithSkillPct}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if large == 0 || shown*1000 < large*995 {
		t.Errorf("only %d of %d counts of 5 or more are printed", shown, large)
	}
	t.Logf("%d of %d counts of 5 or more are printed", shown, large)
}

// rounded is a count as the interface prints it, worked out by hand.
func rounded(n int64) string {
	switch {
	case n == 0:
		return "0"
	case n < 5:
		return "<5"
	}
	for n%5 != 0 && (n+1)%5 != 0 && (n+2)%5 != 0 {
		n-- // 1 or 2 above a multiple of 5
	}
	for n%5 != 0 {
		n++
	}
	return fmt.Sprint(n)
}

// checkShare: whole per cents of rounded counts, none of fewer than 20.
func checkShare(t *testing.T, printed *figure.Tenths, with, all int64) {
	t.Helper()
	if printed == nil {
		return
	}
	part, err1 := strconv.ParseFloat(strings.Replace(rounded(with), "<5", "2.5", 1), 64)
	whole, err2 := strconv.ParseFloat(rounded(all), 64)
	if err1 != nil || err2 != nil || whole < 20 || int64(*printed) != 10*int64(math.Floor(100*part/whole+.5)) {
		t.Errorf("share %d of %d people, of whom %d had the skill", *printed, all, with)
	}
}

// truth is the people of one cell.
type truth struct{ turnedDownFor, hired, hiredWith, turnedDown, turnedDownWith int64 }

// truths are the true counts of every cell that can be asked.
func (o *oracle) truths() map[string]map[disclosure.Cell]*truth {
	cells := map[string]map[disclosure.Cell]*truth{}
	for i := range o.vacancies {
		for k, level := range o.vacancies[i].asked {
			if cells[k] == nil {
				cells[k] = map[disclosure.Cell]*truth{}
			}
			for _, c := range o.cellsOf(o.placesOf(&o.vacancies[i]), &o.vacancies[i], level) {
				cells[k][c] = &truth{}
			}
		}
	}
	for measure, events := range o.latest {
		for _, e := range events {
			for _, c := range o.cellsOf(o.placesWith(e.place), e.v, e.level) {
				if truth := cells[e.skill][c]; truth != nil && o.inTime(e, c) {
					truth.add(measure, e.had)
				}
			}
		}
	}
	return cells
}

func (t *truth) add(measure string, had bool) {
	all, with := &t.turnedDown, &t.turnedDownWith
	switch measure {
	case "for":
		t.turnedDownFor++
		return
	case "hired":
		all, with = &t.hired, &t.hiredWith
	}
	if *all++; had {
		*with++
	}
}

// cellsOf lists the published combinations, at any time, in which a vacancy asks for a skill
// in some places.
func (o *oracle) cellsOf(places []string, v *vacancy, level int) []disclosure.Cell {
	values := [][2]string{{snapshots.SigNone, ""}, {snapshots.SigSector, v.sector}, {snapshots.SigSource, v.source}}
	if level > 0 {
		values = append(values, [2]string{snapshots.SigLevel, fmt.Sprint(level)})
	}
	for digits := 1; digits <= len(v.soc); digits++ {
		values = append(values, [2]string{snapshots.SigSOC, v.soc[:digits]})
	}
	var out []disclosure.Cell
	for _, p := range append(places, "") {
		for _, filter := range values {
			signature := filter[0]
			if p != "" && signature != snapshots.SigNone {
				signature = "place_" + signature
			} else if p != "" {
				signature = snapshots.SigPlace
			}
			for _, w := range []int{3, 6, 12, 24} {
				if filter[1] != "" || filter[0] == snapshots.SigNone {
					out = append(out, disclosure.Cell{Signature: signature, Place: p, Value: filter[1], Window: w})
				}
			}
		}
	}
	for n := range 24 {
		out = append(out, disclosure.Cell{Signature: snapshots.SigMonth, Value: monthText(monthNumber(o.peopleAsOf) - n), Window: 1})
	}
	return out
}

func monthText(n int) string { return fmt.Sprintf("%04d-%02d", n/12, n%12+1) }

// placesOf lists the served places in which a vacancy is.
func (o *oracle) placesOf(v *vacancy) []string {
	var out []string
	for slug, boroughs := range o.areas {
		if v.areas[slug] || slices.ContainsFunc(boroughs, func(b string) bool { return v.boroughs[b] }) {
			out = append(out, slug)
		}
	}
	return out
}

// placesWith lists the served places that hold a borough.
func (o *oracle) placesWith(borough string) (out []string) {
	for slug, boroughs := range o.areas {
		if slices.Contains(boroughs, borough) {
			out = append(out, slug)
		}
	}
	return out
}

// inTime reports whether an event is in the window or month of a cell.
func (o *oracle) inTime(e outcome, c disclosure.Cell) bool {
	if c.Signature == snapshots.SigMonth {
		return monthText(e.month) == c.Value
	}
	return monthNumber(o.peopleAsOf)-e.month < c.Window
}

// below is the printed share of residents below a level.
func (o *oracle) below(at, slug string, level int) *figure.Tenths {
	return o.shares[fmt.Sprint(at, " ", slug, " ", level)]
}

// takeResidents takes the printed shares of residents from the snapshot's table
// and holds each against the truth.
func (o *oracle) takeResidents(t *testing.T, file string) {
	t.Helper()
	all, have := o.countResidents()
	err := parquetio.Read(file, func(r snapshots.ResidentsRow) error {
		o.shares[fmt.Sprint(r.Place, " ", r.Skill, " ", r.Level)] = r.PeopleBelowSharePct
		if r.PeopleBelowSharePct == nil {
			return nil
		}
		want := belowOf(all[r.Place], have[atLevel{r.Place, r.Skill, int(r.Level)}])
		if !(math.Abs(float64(*r.PeopleBelowSharePct)/10-want) <= .5) {
			t.Errorf("%s below %d in %q prints %d tenths of residents, want %v", r.Skill, r.Level, r.Place, *r.PeopleBelowSharePct, want)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// atLevel is a place with a skill and a level of it.
type atLevel struct {
	place, skill string
	level        int
}

// countResidents counts the residents of each place, and those of them who have a skill at a
// level or a higher one.
func (o *oracle) countResidents() (all map[string]int64, have map[atLevel]int64) {
	all, have = map[string]int64{}, map[atLevel]int64{}
	for _, r := range o.residents {
		highest := map[string]int{}
		for _, h := range r.Skills {
			highest[h.Skill] = max(highest[h.Skill], h.Level)
		}
		for _, place := range append(o.placesWith(r.Borough), "") {
			all[place]++
			for slug, most := range highest {
				for level := 1; level <= most; level++ {
					have[atLevel{place, slug, level}]++
				}
			}
		}
	}
	return all, have
}

// belowOf is the share of residents, per cent, who are not among those that have a skill, of
// counts to the nearest 5.
func belowOf(residents, have int64) float64 {
	part, err1 := strconv.ParseFloat(strings.Replace(rounded(residents-have), "<5", "2.5", 1), 64)
	whole, err2 := strconv.ParseFloat(rounded(residents), 64)
	if err1 != nil || err2 != nil || whole < 20 {
		return math.NaN() // prints nothing
	}
	return 100 * part / whole
}
