package attack

import (
	"slices"

	"labour/pipeline/disclosure/synthtest"
)

// latest returns of each person the most recent event for a skill, of the given outcomes, in the four
// quarters that release q describes.
func (w *world) latest(skill string, q int, outcomes ...string) map[string]event {
	people := map[string]event{}
	for _, e := range w.events {
		inside := e.quarter >= q && e.quarter < q+inWindow
		if e.skill != skill || !inside || !slices.Contains(outcomes, e.outcome) {
			continue
		}
		if was, ok := people[e.resident]; !ok || was.when.Before(e.when) {
			people[e.resident] = e
		}
	}
	return people
}

// residentsIn returns who is in each cell.
func (w *world) residentsIn(people map[string]event) map[synthtest.Cell][]string {
	in := map[synthtest.Cell][]string{}
	for _, resident := range sortedKeys(people) {
		for _, cell := range w.CellsOfPerson(people[resident].at) {
			in[cell] = append(in[cell], resident)
		}
	}
	return in
}

// cells returns the published cells of a skill with adverts up to release q, sorted.
func (w *world) cells(skill string, q int) []synthtest.Cell {
	var all []synthtest.Person
	for _, a := range w.adverts {
		if a.quarter < q+inWindow && slices.Contains(a.skills, skill) {
			all = append(all, synthtest.Person{Place: a.place, Sector: a.sector, SOC: a.soc, Level: a.level,
				Source: "platform"})
		}
	}
	return w.Cells(all)
}

// size names a number of people: of one combination, counted by a release, whose event was in a quarter.
type size struct {
	at             synthtest.Person
	event, release int
}

// everyEmployer is no employer's number.
const everyEmployer = -1

// sizes counts who was turned down for a skill, by every employer or by one.
func (w *world) sizes(skill string, releases, by int) map[size]int64 {
	n := map[size]int64{}
	for q := range releases {
		for _, e := range w.latest(skill, q, turnedDownFor) {
			if by == everyEmployer || by == e.employer {
				n[size{e.at, e.quarter, q}]++
			}
		}
	}
	return n
}
