package pipeline

import (
	"context"

	"labour/snapshots"
	"labour/sources"
)

// s106 writes the headline counts of the whole platform and of each place: a served area is the sum
// of its boroughs. Counts of people are in the table s106_people.
func (t *tables) s106(context.Context) error {
	var rows []snapshots.S106Row
	if t.build.hasPeople() {
		for _, row := range t.developmentSums() {
			rows = append(rows, *row)
		}
	}
	return write(t, "s106", rows)
}

// developmentSums adds up the sites of everywhere (empty) and each place.
func (t *tables) developmentSums() map[string]*snapshots.S106Row {
	sums := map[string]*snapshots.S106Row{"": {}}
	within := map[string][]string{} // borough → the places whose counts it is in
	for _, p := range t.build.places() {
		sums[p.Place] = &snapshots.S106Row{Place: p.Place}
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
		addSite(sums[""], &d)
		for _, place := range within[d.Borough] {
			addSite(sums[place], &d)
		}
	}
	return sums
}

func addSite(sum *snapshots.S106Row, d *sources.Development) {
	sum.Developments++
	sum.Obligations += int64(d.Obligations)
	sum.TrainingPlaces += int64(d.TrainingPlaces)
	sum.ContributionsGBP += d.ContributionsGBP
}
