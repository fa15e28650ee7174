package pipeline

import (
	"slices"
	"strings"

	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/sources"
)

// s106 writes the headline counts of the whole platform and of each place: a
// served area is the sum of its boroughs. People employed and apprenticeships started
// are counts of people, which stay as they were printed in the month.
func (t *tables) s106(before printedBefore) error {
	sums := t.developmentSums()
	employed := func(d *sources.Development) int { return d.LocalPeopleEmployed }
	started := func(d *sources.Development) int { return d.ApprenticeshipsStarted }
	printed := map[string]snapshots.S106Row{}
	for _, r := range before.s106 {
		printed[r.Place] = r
	}
	var people, starts map[string]figure.Count
	if before.s106 == nil {
		people, starts = t.printPlaces(sums, employed), t.printPlaces(sums, started)
	}
	var rows []snapshots.S106Row
	for place, s := range sums {
		row := snapshots.S106Row{Place: place, Developments: s.sites, Obligations: int64(s.Obligations), JobsCreated: int64(s.JobsCreated),
			TrainingPlaces: int64(s.TrainingPlaces), ContributionsGBP: s.ContributionsGBP}
		if before.s106 == nil {
			row.SetEmployed(people[place])
			row.SetStarted(starts[place])
		} else {
			was := printed[place]
			row.LocalPeopleEmployed, row.LocalPeopleEmployedStatus = was.LocalPeopleEmployed, was.LocalPeopleEmployedStatus
			row.ApprenticeshipsStarted, row.ApprenticeshipsStartedStatus = was.ApprenticeshipsStarted, was.ApprenticeshipsStartedStatus
		}
		rows = append(rows, row)
	}
	slices.SortFunc(rows, func(a, b snapshots.S106Row) int { return strings.Compare(a.Place, b.Place) })
	return write(t, "s106", rows)
}

// developmentSum is the sites of a place.
type developmentSum struct {
	sources.Development
	sites int64
}

// developmentSums adds up the sites of everywhere (empty) and each place.
func (t *tables) developmentSums() map[string]*developmentSum {
	sums := map[string]*developmentSum{"": {}}
	within := map[string][]string{} // borough → the places whose counts it is in
	for _, p := range t.build.places() {
		sums[p.Place] = &developmentSum{}
		if p.AreaKind == snapshots.AreaBorough {
			within[p.Place] = []string{p.Place}
		}
	}
	for _, m := range t.build.placeMembers() {
		if _, served := within[m.Borough]; served {
			within[m.Borough] = append(within[m.Borough], m.Area)
		}
	}
	for _, d := range t.build.in.developments {
		for _, place := range append([]string{""}, within[d.Borough]...) {
			sums[place].add(d)
		}
	}
	return sums
}

func (s *developmentSum) add(d sources.Development) {
	s.sites++
	s.Obligations += d.Obligations
	s.JobsCreated += d.JobsCreated
	s.ApprenticeshipsStarted += d.ApprenticeshipsStarted
	s.LocalPeopleEmployed += d.LocalPeopleEmployed
	s.TrainingPlaces += d.TrainingPlaces
	s.ContributionsGBP += d.ContributionsGBP
}

// printPlaces prints one count of people of every place.
func (t *tables) printPlaces(sums map[string]*developmentSum, count func(*sources.Development) int) map[string]figure.Count {
	p := t.protect()
	printed, tally := p.ByPlace(func(slug string) int64 {
		if s := sums[slug]; s != nil {
			return int64(count(&s.Development))
		}
		return 0
	})
	p.Tally.Add(tally)
	return printed
}
