package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"labour/pipeline/cells"
	"labour/pipeline/coding/skill"
	"labour/pipeline/disclosure"
	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/snapshots/parquetio"
	"labour/sources"
)

// platform writes the tables of the platform's own records: jobs, pathways,
// candidates, s106 and events.
func (t *tables) platform(ctx context.Context) error {
	t.build.o.step("write the platform's records")
	if err := errors.Join(t.answered(ctx, cells.Jobs), t.events(ctx), t.writePathways()); err != nil {
		return err
	}
	if !t.build.hasPeople() {
		return errors.Join(write(t, "candidates", []snapshots.CandidatesRow(nil)), write(t, "s106", []snapshots.S106Row(nil)))
	}
	before, err := t.printedBefore()
	if err != nil {
		return err
	}
	if err := errors.Join(t.candidates(ctx, before), t.s106(before)); err != nil {
		return err
	}
	if t.protector != nil { // figures of people were printed, not carried
		t.protector.report(t.build.report, t.build.o.RebuildPeople)
	}
	return nil
}

// printedBefore is what the snapshot from which the month's figures of people are carried
// prints of residents and of section 106; nil lists where they are to be printed now.
type printedBefore struct {
	candidates []snapshots.CandidatesRow
	s106       []snapshots.S106Row
	unchanged  func(place string) bool
}

func (t *tables) printedBefore() (before printedBefore, err error) {
	dir, err := t.publishedPeople()
	if err != nil || dir == "" {
		return before, err
	}
	table := func(name string) string { return snapshots.Within(dir, snapshots.TableFileName(name)) }
	before.candidates, err = parquetio.ReadAll[snapshots.CandidatesRow](table("candidates"))
	if err == nil {
		before.s106, err = parquetio.ReadAll[snapshots.S106Row](table("s106"))
	}
	if err == nil {
		before.unchanged, err = t.unchangedPlaces(dir)
	}
	if err != nil {
		return before, fmt.Errorf("read what was printed before: %w", err)
	}
	return before, nil
}

type breakdown struct {
	dimension string
	values    []string // those that may be asked, whatever the counts
}

func (t *tables) breakdowns() []breakdown {
	var places, levels, sectors []string
	for _, p := range t.build.servedBoroughs() {
		places = append(places, p.Place)
	}
	for l := skill.Entry; l <= skill.Expert; l++ {
		levels = append(levels, strconv.Itoa(int(l)))
	}
	for _, s := range t.build.registers.Sectors.All() {
		sectors = append(sectors, s.Slug)
	}
	return []breakdown{{snapshots.CandidatesBorough, places}, {snapshots.CandidatesLevel, levels}, {snapshots.CandidatesSector, sectors}}
}

// residentCount is a true count, in the protected zone.
type residentCount struct {
	Dimension string `col:"dimension"`
	Value     string `col:"value"`
	Residents int64  `col:"residents"`
}

// candidates writes the counts of residents: as they were printed in the month, or printed now.
func (t *tables) candidates(ctx context.Context, before printedBefore) error {
	rows := t.candidatesOf(before)
	if rows == nil {
		truth, err := t.residentCounts(ctx)
		if err != nil {
			return fmt.Errorf("candidates: %w", err)
		}
		var tally disclosure.Tally
		rows, tally = printCandidates(t.protect().Protection, truth, t.breakdowns())
		t.protect().Tally.Add(tally)
	}
	return write(t, "candidates", rows)
}

// candidatesOf returns what was printed of residents, of the boroughs of now: one that is
// new, or another council by now, has no figure until the next month.
func (t *tables) candidatesOf(before printedBefore) []snapshots.CandidatesRow {
	if before.candidates == nil {
		return nil
	}
	kept := map[string]bool{}
	rows := slices.DeleteFunc(before.candidates, func(r snapshots.CandidatesRow) bool {
		borough := r.Dimension == snapshots.CandidatesBorough
		kept[r.Value] = kept[r.Value] || borough && before.unchanged(r.Value)
		return borough && !kept[r.Value]
	})
	for _, p := range t.build.servedBoroughs() {
		if !kept[p.Place] {
			rows = append(rows, snapshots.CandidatesRow{Dimension: snapshots.CandidatesBorough, Value: p.Place})
		}
	}
	return rows
}

func (t *tables) residentCounts(ctx context.Context) (map[[2]string]int64, error) {
	file, err := t.ask(ctx, cells.Candidates)
	if err != nil {
		return nil, err
	}
	truth := map[[2]string]int64{}
	err = parquetio.Read(file, func(r residentCount) error {
		truth[[2]string{r.Dimension, r.Value}] = r.Residents
		return nil
	})
	return truth, err
}

// printCandidates prints all residents, those who seek work, and each breakdown. Every
// resident lives in at most one borough, has at most one highest level, and either seeks
// work or not; a sector is sought only by those who seek work. Where nobody lives outside the
// boroughs, a reader is taken to know that.
func printCandidates(p disclosure.Protection, truth map[[2]string]int64, breakdowns []breakdown) ([]snapshots.CandidatesRow, disclosure.Tally) {
	const all, seeking, notSeeking = 0, 1, 2
	rows := []snapshots.CandidatesRow{{Dimension: snapshots.CandidatesAll}, {Dimension: snapshots.CandidatesSeeking}, {}}
	sums := []disclosure.Sum{{Whole: all, Parts: []int32{seeking, notSeeking}}}
	for _, b := range breakdowns {
		sum := disclosure.Sum{Whole: all}
		if b.dimension == snapshots.CandidatesSector {
			sum.Whole = seeking
		}
		rest := truth[[2]string{snapshots.CandidatesAll, ""}]
		for _, v := range b.values {
			rest -= truth[[2]string{b.dimension, v}]
			sum.Parts = append(sum.Parts, int32(len(rows)))
			rows = append(rows, snapshots.CandidatesRow{Dimension: b.dimension, Value: v})
		}
		sum.AtLeast = b.dimension != snapshots.CandidatesBorough || rest > 0
		sums = append(sums, sum)
	}
	counts := make([]int64, len(rows))
	for i, r := range rows {
		counts[i] = truth[[2]string{r.Dimension, r.Value}]
	}
	counts[notSeeking] = -1 // nobody can ask
	printed, tally := p.Lines(counts, sums)
	for i, c := range printed {
		rows[i].SetResidents(c)
	}
	return slices.Delete(rows, notSeeking, notSeeking+1), tally
}

// s106 writes the headline counts of the whole platform and of each place: a
// served area is the sum of its boroughs. People employed and apprenticeships started
// are counts of people, which stay as they were printed in the month.
func (t *tables) s106(before printedBefore) error {
	sums := t.developmentSums()
	employed := func(d *sources.Development) int { return d.LocalPeopleEmployed }
	started := func(d *sources.Development) int { return d.ApprenticeshipsStarted }
	printed := map[string]snapshots.S106Row{}
	for _, r := range before.s106 {
		if before.unchanged(r.Place) {
			printed[r.Place] = r
		}
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
