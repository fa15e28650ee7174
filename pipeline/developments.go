package pipeline

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"labour/pipeline/disclosure"
	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/sources"
)

// s106 writes the headline counts of the whole platform and of each place: a
// served area is the sum of its boroughs. "People counts of boroughs and platform
// are one R2 place line per measure; headline counts of jobs or starts that are not
// people are free."
func (t *tables) s106(ctx context.Context, before printedBefore) error {
	within := map[string][]string{} // borough → the places whose counts it is in
	for _, p := range t.places() {
		if p.AreaKind == snapshots.AreaBorough {
			within[p.Place] = []string{p.Place}
		}
	}
	for _, m := range t.placeMembers() {
		if _, served := within[m.Borough]; served {
			within[m.Borough] = append(within[m.Borough], m.Area)
		}
	}
	sums := map[string]*sources.Development{"": {}}
	sites := map[string]int64{}
	for _, p := range t.places() {
		sums[p.Place] = &sources.Development{}
	}
	for _, d := range t.developments {
		for _, place := range append([]string{""}, within[d.Borough]...) {
			sites[place]++
			addDevelopment(sums[place], d)
		}
	}
	employed := before.employed
	if employed == nil {
		var err error
		if employed, err = t.printEmployed(ctx, sums); err != nil {
			return fmt.Errorf("s106: %w", err)
		}
	}
	var rows []snapshots.S106Row
	for place, d := range sums {
		row := snapshots.S106Row{Place: place, Developments: sites[place], Obligations: int64(d.Obligations), JobsCreated: int64(d.JobsCreated),
			ApprenticeshipsStarted: int64(d.ApprenticeshipsStarted), TrainingPlaces: int64(d.TrainingPlaces), ContributionsGBP: d.ContributionsGBP}
		row.SetEmployed(employed[place])
		rows = append(rows, row)
	}
	slices.SortFunc(rows, func(a, b snapshots.S106Row) int { return strings.Compare(a.Place, b.Place) })
	return write(t, "s106", rows)
}

// printEmployed prints the local people employed of the whole platform and of each
// place as one line.
func (t *tables) printEmployed(ctx context.Context, sums map[string]*sources.Development) (map[string]figure.Count, error) {
	protection, err := t.protect(ctx, true)
	if err != nil {
		return nil, err
	}
	var parts []disclosure.Part
	for _, p := range t.places() {
		parts = append(parts, disclosure.Part{Value: p.Place, Count: int64(sums[p.Place].LocalPeopleEmployed)})
	}
	b, err := protection.Breakdown(employedName, int64(sums[""].LocalPeopleEmployed), snapshots.SigPlace, parts)
	if err != nil {
		return nil, err
	}
	employed := map[string]figure.Count{"": b.Whole}
	for i, p := range parts {
		employed[p.Value] = b.Parts[i]
	}
	return employed, protection.kept.note(t.report, employedName, b.Kept)
}

// employedName is the name of the people employed in the ledger.
const employedName = "-s106-employed"

// addDevelopment adds the counts of one site.
func addDevelopment(sum *sources.Development, d sources.Development) {
	sum.Obligations += d.Obligations
	sum.JobsCreated += d.JobsCreated
	sum.ApprenticeshipsStarted += d.ApprenticeshipsStarted
	sum.LocalPeopleEmployed += d.LocalPeopleEmployed
	sum.TrainingPlaces += d.TrainingPlaces
	sum.ContributionsGBP += d.ContributionsGBP
}
