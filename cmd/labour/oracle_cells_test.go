package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"labour/pipeline/disclosure"
	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/snapshots/parquetio"
	"labour/sources"
)

// takePrinted takes the printed tokens of people from the snapshot's table and
// holds each against the truth: a number is the true one, "<5" is 1 to 4, a share
// is that of the true parts. Which of the true numbers may be printed at all is
// the matter of package disclosure; that most are, is checked here.
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
		var n *int64
		if r.PeopleTurnedDown != nil {
			v := int64(*r.PeopleTurnedDown)
			n = &v
		}
		count, err := figure.Parse(n, r.PeopleTurnedDownStatus)
		if err != nil {
			return err
		}
		if count != (figure.Count{}) && count != figure.CountOf(truth.TurnedDownFor) {
			t.Errorf("%s %+v prints %v, the truth is %d", r.Skill, c, count, truth.TurnedDownFor)
		}
		checkShare(t, r.HiredWithSkillPct, truth.HiredWith, truth.HiredWithout)
		checkShare(t, r.TurnedDownWithSkillPct, truth.TurnedDownWith, truth.TurnedDownWithout)
		if truth.TurnedDownFor >= 5 {
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
	if large == 0 || shown*10 < large {
		t.Errorf("only %d of %d counts of 5 or more are printed", shown, large)
	}
	t.Logf("%d of %d counts of 5 or more are printed", shown, large)
}

// checkShare: whole per cents on a base under 300, one decimal from there, none
// on a base under 10 or with a part of 1 to 4.
func checkShare(t *testing.T, printed *figure.Tenths, with, without int64) {
	t.Helper()
	if printed == nil {
		return
	}
	base := with + without
	step := int64(10)
	if base >= 300 {
		step = 1
	}
	small := func(n int64) bool { return n > 0 && n < 5 }
	if base < 10 || small(with) || small(without) || *printed != figure.ShareStep(with, base, step) {
		t.Errorf("share %d of %d with and %d without", *printed, with, without)
	}
}

// truths are the true counts of every cell that can be asked.
func (o *oracle) truths() map[string]map[disclosure.Cell]*disclosure.Truth {
	cells := map[string]map[disclosure.Cell]*disclosure.Truth{}
	for i := range o.vacancies {
		for k, level := range o.vacancies[i].asked {
			if cells[k] == nil {
				cells[k] = map[disclosure.Cell]*disclosure.Truth{}
			}
			for _, c := range o.cellsOf(&o.vacancies[i], level) {
				cells[k][c] = &disclosure.Truth{Cell: c}
			}
		}
	}
	for measure, events := range o.latest {
		for _, e := range events {
			for c, truth := range cells[e.skill] {
				if o.inCell(e, c) {
					*counter(truth, measure, e.had)++
				}
			}
		}
	}
	return cells
}

func counter(t *disclosure.Truth, measure string, had bool) *int64 {
	switch {
	case measure == "for":
		return &t.TurnedDownFor
	case measure == "hired" && had:
		return &t.HiredWith
	case measure == "hired":
		return &t.HiredWithout
	case had:
		return &t.TurnedDownWith
	}
	return &t.TurnedDownWithout
}

// cellsOf lists the cells of the lattice in which a vacancy asks for a skill.
func (o *oracle) cellsOf(v *vacancy, level int) []disclosure.Cell {
	dims := map[string]string{snapshots.SigSector: v.sector, snapshots.SigSOC: v.soc, snapshots.SigSource: v.source}
	if level > 0 {
		dims[snapshots.SigLevel] = fmt.Sprint(level)
	}
	var out []disclosure.Cell
	add := func(place, dim, value string, windows ...int) {
		signature := dim
		if place != "" && dim != snapshots.SigNone {
			signature = "place_" + dim
		} else if place != "" {
			signature = snapshots.SigPlace
		}
		for _, w := range windows {
			out = append(out, disclosure.Cell{Signature: signature, Place: place, Value: value, Window: w})
		}
	}
	for _, p := range append(o.placesOf(v), "") {
		windows, months := []int{3, 6, 12, 24}, 24
		add(p, snapshots.SigNone, "", windows...)
		if p != "" {
			windows, months = []int{12, 24}, 12
		}
		for dim, value := range dims {
			if value != "" {
				add(p, dim, value, windows...)
			}
		}
		for n := range months {
			add(p, snapshots.SigMonth, monthText(monthNumber(o.peopleAsOf)-n), 1)
		}
	}
	return out
}

func monthText(n int) string { return fmt.Sprintf("%04d-%02d", n/12, n%12+1) }

// placesOf lists the served places in which a vacancy is.
func (o *oracle) placesOf(v *vacancy) []string {
	var out []string
	for slug, boroughs := range o.areas {
		if slices.ContainsFunc(boroughs, func(b string) bool { return v.boroughs[b] }) {
			out = append(out, slug)
		}
	}
	return out
}

func (o *oracle) inCell(e outcome, c disclosure.Cell) bool {
	if c.Place != "" && !slices.Contains(o.areas[c.Place], e.place) {
		return false
	}
	value := map[string]string{"sector": e.v.sector, "soc": e.v.soc, "source": e.v.source, "level": fmt.Sprint(e.level), "month": monthText(e.month)}
	dim := strings.TrimPrefix(c.Signature, "place_")
	if v, ok := value[dim]; ok && v != c.Value {
		return false
	}
	return dim == "month" || monthNumber(o.peopleAsOf)-e.month < c.Window
}

// below is the printed share of residents below the reference level.
func (o *oracle) below(at, slug string) *figure.Tenths { return o.shares[at+" "+slug] }

// takeResidents takes the printed shares of residents from the snapshot's table
// and holds each against the truth. Which of them may be printed is the matter of
// package disclosure.
func (o *oracle) takeResidents(t *testing.T, file string) {
	t.Helper()
	err := parquetio.Read(file, func(r snapshots.ResidentsRow) error {
		o.shares[r.Place+" "+r.Skill] = r.PeopleBelowSharePct
		if want := o.belowOf(r.Place, r.Skill); r.PeopleBelowSharePct != nil && (want == nil || *want != *r.PeopleBelowSharePct) {
			t.Errorf("%s in %q prints %d tenths of residents, want %v", r.Skill, r.Place, *r.PeopleBelowSharePct, want)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (o *oracle) belowOf(at, slug string) *figure.Tenths {
	var residents, below int64
	for _, r := range o.residents {
		if at != "" && !slices.Contains(o.areas[at], r.Borough) {
			continue
		}
		residents++
		if !slices.ContainsFunc(r.Skills, func(h sources.Held) bool {
			return h.Skill == slug && h.Level >= int(o.skills[slug].Level)
		}) {
			below++
		}
	}
	return disclosure.ResidentShare(below, residents)
}
