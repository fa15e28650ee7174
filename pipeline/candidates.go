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
	rules, err := t.rules(ctx)
	if err != nil {
		return err
	}
	return errors.Join(t.candidates(ctx, rules, before), t.s106(rules, before))
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
func (t *tables) candidates(ctx context.Context, rules disclosure.Rules, before printedBefore) error {
	file, err := t.ask(ctx, cells.Candidates)
	if err != nil {
		return err
	}
	truth := map[[2]string]int64{}
	err = parquetio.Read(file, func(r residentCount) error {
		truth[[2]string{r.Dimension, r.Value}] = r.Residents
		return nil
	})
	if err != nil {
		return fmt.Errorf("candidates: %w", err)
	}
	for _, m := range t.placeMembers() { // an area is the sum of its boroughs
		truth[[2]string{snapshots.CandidatesBorough, m.Area}] += truth[[2]string{snapshots.CandidatesBorough, m.Borough}]
	}
	rows := printCandidates(rules, truth, t.breakdowns())
	areas := map[string]bool{}
	for _, m := range t.placeMembers() {
		areas[m.Area] = true
	}
	rows = slices.DeleteFunc(rows, func(r snapshots.CandidatesRow) bool {
		return r.Dimension == snapshots.CandidatesBorough && areas[r.Value]
	})
	if before.candidates != nil {
		for i := range rows {
			rows[i].SetResidents(before.candidates[[2]string{rows[i].Dimension, rows[i].Value}])
		}
	}
	return write(t, "candidates", rows)
}

// printCandidates prints the total and each breakdown as a line on it. Who seeks
// work is a line of two: those who do not can be worked out, so they are protected
// alike. Where a line cannot be printed beside the total, nothing is.
func printCandidates(rules disclosure.Rules, truth map[[2]string]int64, breakdowns []breakdown) []snapshots.CandidatesRow {
	total := truth[[2]string{snapshots.CandidatesAll, ""}]
	seeking := truth[[2]string{snapshots.CandidatesSeeking, ""}]
	whole, two := rules.Breakdown(total, snapshots.SigSector, []disclosure.Part{{Value: "seeking", Count: seeking}, {Value: "not seeking", Count: total - seeking}})
	wholes := []figure.Count{whole}
	rows := []snapshots.CandidatesRow{candidatesRow(snapshots.CandidatesAll, "", whole), candidatesRow(snapshots.CandidatesSeeking, "", two[0])}
	for _, b := range breakdowns {
		parts := make([]disclosure.Part, len(b.values))
		for i, v := range b.values {
			parts[i] = disclosure.Part{Value: v, Count: truth[[2]string{b.dimension, v}]}
		}
		whole, printed := rules.Breakdown(total, b.dim, parts)
		wholes = append(wholes, whole)
		for i, v := range b.values {
			rows = append(rows, candidatesRow(b.dimension, v, printed[i]))
		}
	}
	withheld := slices.ContainsFunc(wholes, func(c figure.Count) bool { return c.Status() == figure.NotPublished })
	if total < fewestResidents || withheld {
		for i := range rows {
			rows[i].SetResidents(figure.Count{})
		}
	}
	slices.SortFunc(rows, func(a, b snapshots.CandidatesRow) int {
		return cmp.Or(strings.Compare(a.Dimension, b.Dimension), strings.Compare(a.Value, b.Value))
	})
	return rows
}

func candidatesRow(dimension, value string, c figure.Count) snapshots.CandidatesRow {
	r := snapshots.CandidatesRow{Dimension: dimension, Value: value}
	r.SetResidents(c)
	return r
}
