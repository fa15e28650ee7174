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

// takePrinted takes what is printed of people from the snapshot's table and holds each figure against the
// truth. A count of 5 or more must be a number within 4 of the truth, unless P2 hides it.
func (o *oracle) takePrinted(t *testing.T, file string) {
	t.Helper()
	truths := o.truths()
	err := parquetio.ForEachRow(file, func(r snapshots.PeopleRow) error {
		c := disclosure.Cell{Signature: r.Signature, Place: r.Place, Value: r.Value}
		truth := truths[r.Skill][c]
		if truth == nil {
			return fmt.Errorf("%s %+v is no cell in which a counted advert asks for the skill or somebody counts", r.Skill, c)
		}
		count, err := r.Count()
		if err != nil {
			return err
		}
		if count != (figure.Count{}) && !slices.Contains(tokensOf(truth.turnedDownFor), count.String()) {
			t.Errorf("%s %+v prints %v, the truth is %d", r.Skill, c, count, truth.turnedDownFor)
		}
		hasNone := r.HiredWithSkillPct == nil && r.TurnedDownWithSkillPct == nil && count.String() == "0"
		if hasNone && !truth.asked {
			t.Errorf("%s %+v prints 0 where no advert asks for the skill, which tells that somebody is there", r.Skill, c)
		}
		checkShare(t, r.HiredWithSkillPct, truth.hiredWith, truth.hired)
		checkShare(t, r.TurnedDownWithSkillPct, truth.turnedDownWith, truth.turnedDown)
		if o.people[r.Skill] == nil {
			o.people[r.Skill] = map[disclosure.Cell]disclosure.PublishedCell{}
		}
		o.people[r.Skill][c] = disclosure.PublishedCell{Cell: c, TurnedDown: count, HiredWithSkillPct: r.HiredWithSkillPct,
			TurnedDownWithSkillPct: r.TurnedDownWithSkillPct}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	o.checkUtility(t, truths)
}

// checkUtility finds counts of 5 or more that are not printed though they may be, and nulls and
// numbers that should not be there.
func (o *oracle) checkUtility(t *testing.T, truths map[string]map[disclosure.Cell]*truth) {
	t.Helper()
	large, shown, errors := map[string]int{}, map[string]int{}, int64(0)
	for skill, cells := range truths {
		for c, truth := range cells {
			printed := o.people[skill][c].TurnedDown
			small, coarse := o.belowSmall(skill, c)
			n, ok := printed.Number()
			switch {
			case coarse && ok && n < 10 || coarse && printed.Status() == figure.StatusUnderFive:
				t.Errorf("%s %+v prints %v below 10 or 15", skill, c, printed)
			case small && printed.Status() != figure.StatusNotPublished:
				t.Errorf("%s %+v prints %v below a small group", skill, c, printed)
			case truth.turnedDownFor == 0 && !truth.asked: // has no row
			case !small && !(coarse && truth.turnedDownFor < 10) && o.askable(c) &&
				printed.Status() == figure.StatusNotPublished:
				t.Errorf("%s %+v prints nothing, the truth is %d", skill, c, truth.turnedDownFor)
			}
			if truth.turnedDownFor >= 5 && o.askable(c) {
				large[c.Signature]++
				if ok {
					shown[c.Signature]++
					errors += max(n-truth.turnedDownFor, truth.turnedDownFor-n)
				}
			}
		}
	}
	all := 0
	for signature, n := range large {
		all += shown[signature]
		t.Logf("%s: %d of %d counts of 5 or more are numbers", signature, shown[signature], n)
	}
	mean := float64(errors) / float64(all)
	t.Logf("mean error of %d numbers: %.2f", all, mean)
	if all < 900 || mean > 1.6 {
		t.Errorf("%d counts are numbers, with a mean error of %.2f", all, mean)
	}
}

// belowSmall reports whether a cell is a part of one that prints "<5" or less than 10, and whether of
// one that prints 10 or 15, worked out by hand from signatures.
func (o *oracle) belowSmall(skill string, c disclosure.Cell) (small, coarse bool) {
	places := []string{""}
	for slug, boroughs := range o.areas {
		within := func(b string) bool { return slices.Contains(boroughs, b) }
		if own := o.areas[c.Place]; c.Place != "" && len(own) < len(boroughs) &&
			!slices.ContainsFunc(own, func(b string) bool { return !within(b) }) {
			places = append(places, slug)
		}
	}
	if c.Place != "" {
		places = append(places, c.Place)
	}
	filter := snapshots.WithoutPlaceFilter(c.Signature)
	values := [][2]string{{snapshots.Unfiltered, ""}, {filter, c.Value}}
	if filter == snapshots.FilteredBySOC {
		for digits := 1; digits < len(c.Value); digits++ {
			values = append(values, [2]string{filter, c.Value[:digits]})
		}
	}
	for _, p := range places {
		for _, v := range values {
			whole := cellNamed(p, v[0], v[1])
			printed := o.people[skill][whole].TurnedDown
			if whole == c {
				continue
			}
			n, _ := printed.Number()
			hidden := printed.Status() == figure.StatusNotPublished && o.askable(whole) // it is itself below one
			small = small || hidden || printed.Status() == figure.StatusUnderFive || n == 5
			coarse = coarse || n == 10 || n == 15
		}
	}
	return small, coarse
}

// askable reports whether a cell can be asked for: its filter matches at least 5 adverts of at least
// 3 employers in the twelve months, and applications to its adverts are seen.
func (o *oracle) askable(c disclosure.Cell) bool {
	filter := snapshots.WithoutPlaceFilter(c.Signature)
	if filter == snapshots.FilteredBySource && c.Value != "platform" {
		return false
	}
	if filter == snapshots.FilteredByLevel {
		filter, c.Value = snapshots.Unfiltered, ""
	}
	key := [3]string{c.Place, filter, c.Value}
	if known, ok := o.floor[key]; ok {
		return known
	}
	adverts, employers := 0, map[string]bool{}
	for i := range o.vacancies {
		v := &o.vacancies[i]
		if v.month < monthNumber(o.from) || v.month > monthNumber(o.to) ||
			c.Place != "" && !slices.Contains(o.placesOf(v), c.Place) ||
			filter == snapshots.FilteredBySector && v.sector != c.Value ||
			filter == snapshots.FilteredBySource && v.source != c.Value ||
			filter == snapshots.FilteredBySOC && !strings.HasPrefix(v.soc, c.Value) {
			continue
		}
		adverts, employers[v.employer] = adverts+1, true
	}
	o.floor[key] = adverts >= 5 && len(employers) >= 3
	return o.floor[key]
}

// tokensOf are what a true count may print, worked out by hand.
func tokensOf(n int64) []string {
	switch {
	case n == 0:
		return []string{"0"}
	case n < 5:
		return []string{"<5"}
	}
	var out []string
	for m := n - 4; m <= n+4; m++ {
		if m%5 == 0 && (m == n || n%5 != 0) {
			out = append(out, fmt.Sprint(m))
		}
	}
	return out
}

// sharesOf are what a share may print in per cent, of counts that may print in two ways each.
func sharesOf(part, whole int64) (out []float64) {
	for _, p := range tokensOf(part) {
		for _, w := range tokensOf(whole) {
			over, err1 := strconv.ParseFloat(strings.Replace(p, "<5", "2.5", 1), 64)
			under, err2 := strconv.ParseFloat(w, 64)
			if err1 == nil && err2 == nil && under >= 20 {
				out = append(out, min(100, 100*over/under))
			}
		}
	}
	return out
}

// checkShare: whole per cents of printed counts, none of fewer than 20.
func checkShare(t *testing.T, printed *figure.Tenths, with, all int64) {
	t.Helper()
	if printed == nil {
		return
	}
	for _, share := range sharesOf(with, all) {
		if int64(*printed) == 10*int64(math.Floor(share+.5)) {
			return
		}
	}
	t.Errorf("share %d of %d people, of whom %d had the skill", *printed, all, with)
}

// truth is the people of one cell.
type truth struct {
	turnedDownFor, hired, hiredWith, turnedDown, turnedDownWith int64

	asked bool // whether a counted advert asks for the skill there
}

// truths are the true counts of every cell that can be asked.
func (o *oracle) truths() map[string]map[disclosure.Cell]*truth {
	cells := map[string]map[disclosure.Cell]*truth{}
	for i := range o.vacancies {
		for k, level := range o.vacancies[i].asked {
			if cells[k] == nil {
				cells[k] = map[disclosure.Cell]*truth{}
			}
			for _, c := range o.cellsOf(o.placesOf(&o.vacancies[i]), &o.vacancies[i], level) {
				cells[k][c] = &truth{asked: true}
			}
		}
	}
	for measure, events := range o.latest {
		for _, e := range events {
			for _, c := range o.cellsOf(o.placesWith(e.place), e.v, e.level) {
				if cells[e.skill] == nil {
					cells[e.skill] = map[disclosure.Cell]*truth{}
				}
				if cells[e.skill][c] == nil {
					cells[e.skill][c] = &truth{}
				}
				cells[e.skill][c].add(measure, e.had)
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

// cellsOf lists the published combinations in which a vacancy asks for a skill
// in some places.
func (o *oracle) cellsOf(places []string, v *vacancy, level int) []disclosure.Cell {
	values := [][2]string{{snapshots.Unfiltered, ""}, {snapshots.FilteredBySector, v.sector},
		{snapshots.FilteredBySource, v.source}}
	if level > 0 {
		values = append(values, [2]string{snapshots.FilteredByLevel, fmt.Sprint(level)})
	}
	for digits := 1; digits <= len(v.soc); digits++ {
		values = append(values, [2]string{snapshots.FilteredBySOC, v.soc[:digits]})
	}
	var out []disclosure.Cell
	for _, p := range append(places, "") {
		for _, filter := range values {
			if filter[1] != "" || filter[0] == snapshots.Unfiltered {
				out = append(out, cellNamed(p, filter[0], filter[1]))
			}
		}
	}
	return out
}

// cellNamed is the cell of a place, empty for none, and another filter.
func cellNamed(place, filter, value string) disclosure.Cell {
	switch {
	case place != "" && filter != snapshots.Unfiltered:
		filter = "place_" + filter
	case place != "":
		filter = snapshots.FilteredByPlace
	}
	return disclosure.Cell{Signature: filter, Place: place, Value: value}
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
