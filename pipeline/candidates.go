package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"labour/pipeline/cells"
	"labour/pipeline/coding/skill"
	"labour/pipeline/disclosure"
	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/snapshots/parquetio"
)

// fewestResidents: "Anything with d < 10 residents [...]: whole object nulls."
const fewestResidents = 10

// platform writes the tables of the platform's own records: jobs, pathways,
// candidates, s106 and events.
func (t *tables) platform(ctx context.Context) error {
	t.o.step("write the platform's records")
	if err := errors.Join(t.jobs(ctx), t.events(ctx), t.writePathways()); err != nil {
		return err
	}
	if !t.hasPeople() {
		return errors.Join(write(t, "candidates", []snapshots.CandidatesRow(nil)), write(t, "s106", []snapshots.S106Row(nil)))
	}
	before, err := t.printedBefore()
	if err != nil {
		return err
	}
	return errors.Join(t.candidates(ctx, before), t.s106(ctx, before), t.remember())
}

// printedBefore is what the current snapshot prints of people, where it describes
// the same quarter end: those figures stay, whatever the feed says since.
type printedBefore struct {
	candidates map[[2]string]figure.Count // by dimension and value; nil = nothing to carry
	employed   map[string]figure.Count    // by place; nil = nothing to carry
}

func (t *tables) printedBefore() (before printedBefore, err error) {
	_, dir, err := t.printedPeople()
	if err != nil || dir == "" {
		return before, err
	}
	residents, err := parquetio.ReadAll[snapshots.CandidatesRow](snapshots.Within(dir, snapshots.TableFileName("candidates")))
	if err != nil {
		return before, fmt.Errorf("read what was printed before: %w", err)
	}
	for _, r := range residents {
		c, err := r.Count()
		if err != nil {
			return before, fmt.Errorf("read what was printed before: candidates: %w", err)
		}
		if before.candidates == nil {
			before.candidates = map[[2]string]figure.Count{}
		}
		before.candidates[[2]string{r.Dimension, r.Value}] = c
	}
	return before, before.readEmployed(snapshots.Within(dir, snapshots.TableFileName("s106")))
}

func (p *printedBefore) readEmployed(file string) error {
	rows, err := parquetio.ReadAll[snapshots.S106Row](file)
	if err != nil {
		return fmt.Errorf("read what was printed before: %w", err)
	}
	for _, r := range rows {
		c, err := r.Employed()
		if err != nil {
			return fmt.Errorf("read what was printed before: s106: %w", err)
		}
		if p.employed == nil {
			p.employed = map[string]figure.Count{}
		}
		p.employed[r.Place] = c
	}
	return nil
}

// breakdown is one breakdown of the residents.
type breakdown struct {
	dimension string
	dim       string   // whose public order it takes
	values    []string // those that may be asked, whatever the counts
}

func (t *tables) breakdowns() []breakdown {
	var places, levels, sectors []string
	for _, p := range t.places() {
		places = append(places, p.Place)
	}
	for l := skill.Entry; l <= skill.Expert; l++ {
		levels = append(levels, strconv.Itoa(int(l)))
	}
	for _, s := range t.registers.Sectors.All() {
		sectors = append(sectors, s.Slug)
	}
	return []breakdown{{snapshots.CandidatesBorough, snapshots.SigPlace, places},
		{snapshots.CandidatesLevel, snapshots.SigLevel, levels}, {snapshots.CandidatesSector, snapshots.SigSector, sectors}}
}

// residentCount is a true count, in the protected zone.
type residentCount struct {
	Dimension string `col:"dimension"`
	Value     string `col:"value"`
	Residents int64  `col:"residents"`
}

// candidates writes the counts of residents, each as disclosure prints it.
func (t *tables) candidates(ctx context.Context, before printedBefore) error {
	rows, err := t.candidateRows(ctx, before)
	if err != nil {
		return fmt.Errorf("candidates: %w", err)
	}
	return write(t, "candidates", rows)
}

// candidateRows are the rows of the served boroughs, levels and sectors: as they
// were printed at the quarter end, or printed now.
func (t *tables) candidateRows(ctx context.Context, before printedBefore) ([]snapshots.CandidatesRow, error) {
	areas := map[string]bool{}
	for _, m := range t.placeMembers() {
		areas[m.Area] = true
	}
	inArea := func(r snapshots.CandidatesRow) bool {
		return r.Dimension == snapshots.CandidatesBorough && areas[r.Value]
	}
	if before.candidates != nil {
		rows := emptyCandidates(t.breakdowns())
		for i, r := range rows {
			rows[i].SetResidents(before.candidates[[2]string{r.Dimension, r.Value}])
		}
		return slices.DeleteFunc(rows, inArea), nil
	}
	truth, err := t.residentCounts(ctx)
	if err != nil {
		return nil, err
	}
	p, err := t.protect(ctx, true)
	if err != nil {
		return nil, err
	}
	rows, kept, err := printCandidates(p.Rules, truth, t.breakdowns())
	for _, k := range kept {
		err = errors.Join(err, p.kept.note(t.report, k.name, k.Kept))
	}
	return slices.DeleteFunc(rows, inArea), err
}

// residentCounts are the true counts; an area is the sum of its boroughs.
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
	for _, m := range t.placeMembers() {
		truth[[2]string{snapshots.CandidatesBorough, m.Area}] += truth[[2]string{snapshots.CandidatesBorough, m.Borough}]
	}
	return truth, err
}

// named is what is kept of one breakdown.
type named struct {
	name string
	disclosure.Kept
}

// printCandidates prints the total and each breakdown as a line on it. Who seeks
// work is a line of two: those who do not can be worked out, so they are protected
// alike. Where a line cannot be printed beside the total, nothing is, and nothing
// need be remembered.
func printCandidates(rules disclosure.Rules, truth map[[2]string]int64, breakdowns []breakdown) ([]snapshots.CandidatesRow, []named, error) {
	total := truth[[2]string{snapshots.CandidatesAll, ""}]
	seeking := truth[[2]string{snapshots.CandidatesSeeking, ""}]
	printed := map[[2]string]figure.Count{}
	var kept []named
	withheld := total < fewestResidents
	line := func(dimension, dim string, parts []disclosure.Part) error {
		name := "-candidates-" + dimension
		b, err := rules.Breakdown(name, total, dim, parts)
		if err != nil {
			return err
		}
		kept = append(kept, named{name, b.Kept})
		withheld = withheld || b.Whole.Status() == figure.NotPublished
		printed[[2]string{snapshots.CandidatesAll, ""}] = b.Whole
		for i, p := range parts {
			printed[[2]string{dimension, p.Value}] = b.Parts[i]
		}
		return nil
	}
	err := line(snapshots.CandidatesSeeking, snapshots.SigSector, []disclosure.Part{{Value: "", Count: seeking}, {Value: "not seeking", Count: total - seeking}})
	for _, b := range breakdowns {
		parts := make([]disclosure.Part, len(b.values))
		for i, v := range b.values {
			parts[i] = disclosure.Part{Value: v, Count: truth[[2]string{b.dimension, v}]}
		}
		err = errors.Join(err, line(b.dimension, b.dim, parts))
	}
	rows := emptyCandidates(breakdowns)
	for i, r := range rows {
		if !withheld {
			rows[i].SetResidents(printed[[2]string{r.Dimension, r.Value}])
		}
	}
	for i := range kept {
		if withheld {
			kept[i].Entries = nil
		}
	}
	return rows, kept, err
}

// emptyCandidates are the rows of the breakdowns, sorted, with nothing published.
func emptyCandidates(breakdowns []breakdown) []snapshots.CandidatesRow {
	rows := []snapshots.CandidatesRow{{Dimension: snapshots.CandidatesAll}, {Dimension: snapshots.CandidatesSeeking}}
	for _, b := range breakdowns {
		for _, v := range b.values {
			rows = append(rows, snapshots.CandidatesRow{Dimension: b.dimension, Value: v})
		}
	}
	for i := range rows {
		rows[i].SetResidents(figure.Count{})
	}
	slices.SortFunc(rows, func(a, b snapshots.CandidatesRow) int {
		return cmp.Or(strings.Compare(a.Dimension, b.Dimension), strings.Compare(a.Value, b.Value))
	})
	return rows
}
