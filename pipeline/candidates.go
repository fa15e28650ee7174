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
	if err := errors.Join(t.candidates(ctx), t.s106()); err != nil {
		return err
	}
	if t.protector != nil { // figures of people were printed, not carried
		t.protector.report(t.build.report, t.build.o.RebuildPeople)
	}
	return nil
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
func (t *tables) candidates(ctx context.Context) error {
	candidates := t.printedCandidates
	if t.carried != nil {
		candidates = t.carriedCandidates
	}
	rows, err := candidates(ctx)
	if err != nil {
		return fmt.Errorf("candidates: %w", err)
	}
	return write(t, "candidates", rows)
}

// carriedCandidates returns what was printed of residents, of the boroughs of now: one that is
// new, or another council by now, has no figure until the next month.
func (t *tables) carriedCandidates(context.Context) ([]snapshots.CandidatesRow, error) {
	rows, err := parquetio.ReadAll[snapshots.CandidatesRow](snapshots.TablePath(t.carried.dir, "candidates"))
	kept := map[string]bool{}
	rows = slices.DeleteFunc(rows, func(r snapshots.CandidatesRow) bool {
		borough := r.Dimension == snapshots.CandidatesBorough
		kept[r.Value] = kept[r.Value] || borough && t.carried.unchanged(r.Value)
		return borough && !kept[r.Value]
	})
	for _, p := range t.build.servedBoroughs() {
		if !kept[p.Place] {
			rows = append(rows, snapshots.CandidatesRow{Dimension: snapshots.CandidatesBorough, Value: p.Place})
		}
	}
	return rows, err
}

func (t *tables) printedCandidates(ctx context.Context) ([]snapshots.CandidatesRow, error) {
	file, err := t.ask(ctx, cells.Candidates)
	if err != nil {
		return nil, err
	}
	truth := map[[2]string]int64{}
	err = parquetio.Read(file, func(r residentCount) error {
		truth[[2]string{r.Dimension, r.Value}] = r.Residents
		return nil
	})
	rows, tally := printCandidates(t.protector.Protection, truth, t.breakdowns())
	t.protector.Tally.Add(tally)
	return rows, err
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
func (t *tables) s106() error {
	sums, printed := t.developmentSums(), map[string]snapshots.S106Row{}
	var people, starts map[string]figure.Count
	if t.carried == nil {
		people = t.printPlaces(sums, func(d *sources.Development) int { return d.LocalPeopleEmployed })
		starts = t.printPlaces(sums, func(d *sources.Development) int { return d.ApprenticeshipsStarted })
	} else {
		err := parquetio.Read(snapshots.TablePath(t.carried.dir, "s106"), func(r snapshots.S106Row) error {
			if t.carried.unchanged(r.Place) {
				printed[r.Place] = r
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("s106: %w", err)
		}
	}
	var rows []snapshots.S106Row
	for place, s := range sums {
		row := printed[place]
		row.Place, row.Developments, row.Obligations, row.JobsCreated = place, s.sites, int64(s.Obligations), int64(s.JobsCreated)
		row.TrainingPlaces, row.ContributionsGBP = int64(s.TrainingPlaces), s.ContributionsGBP
		if t.carried == nil {
			row.SetEmployed(people[place])
			row.SetStarted(starts[place])
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
	printed, tally := t.protector.ByPlace(func(slug string) int64 {
		if s := sums[slug]; s != nil {
			return int64(count(&s.Development))
		}
		return 0
	})
	t.protector.Tally.Add(tally)
	return printed
}
