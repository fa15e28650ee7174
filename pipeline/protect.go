package pipeline

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"labour/pipeline/cells"
	"labour/pipeline/disclosure"
	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/sources"
	"labour/sources/platform"
)

// protector prints the counts of people of one month, and adds up what became of them.
type protector struct {
	disclosure.Rules
	Month disclosure.Month
	Tally disclosure.Tally
}

// protect returns what the counts of people of the run's month are printed with.
func (t *tables) protect() *protector {
	people := t.build.o.Config.People
	return &protector{Month: peopleMonth(t.build.o.AsOf), Rules: disclosure.Rules{Protection: disclosure.Protection(people.Protection),
		Places: t.peoplePlaces(), MinEmployers: people.MinEmployers, Unseen: unseen}}
}

// peoplePlaces returns the served boroughs and areas, in the order of places.
func (t *tables) peoplePlaces() *disclosure.Places {
	var boroughs []string
	var areas []disclosure.Area
	at := map[string]int{}
	for _, p := range t.build.places() {
		if p.AreaKind == snapshots.AreaBorough {
			boroughs = append(boroughs, p.Place)
			continue
		}
		at[p.Place] = len(areas)
		areas = append(areas, disclosure.Area{Slug: p.Place})
	}
	for _, m := range t.build.placeMembers() {
		if i, ok := at[m.Area]; ok {
			areas[i].Boroughs = append(areas[i].Boroughs, m.Borough)
		}
	}
	return disclosure.NewPlaces(boroughs, areas)
}

// askableRow is a filter that matches enough adverts to be answered.
type askableRow struct {
	Place        string `col:"place"`
	Filter       string `col:"filter"`
	Value        string `col:"value"`
	WindowMonths int8   `col:"window_months"`
}

// askable returns whether a cell of people can be asked for (P9). The level of an advert
// is no filter on which adverts are matched, and a month is asked for within 24.
func (t *tables) askable(ctx context.Context) (func(disclosure.Cell) bool, error) {
	file, err := t.ask(ctx, cells.Askable)
	if err != nil {
		return nil, err
	}
	enough := map[askableRow]bool{}
	err = parquetio.Read(file, func(r askableRow) error {
		enough[r] = true
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read which filters can be asked for: %w", err)
	}
	return func(c disclosure.Cell) bool {
		filter, value, window := snapshots.FilterOf(c.Signature), c.Value, c.Window
		switch filter {
		case snapshots.SigLevel:
			filter, value = snapshots.SigNone, ""
		case snapshots.SigMonth:
			filter, value, window = snapshots.SigNone, "", disclosure.Months
		}
		return enough[askableRow{c.Place, filter, value, int8(window)}]
	}, nil
}

// unseen reports whether a cell is of a source other than the platform: applications to
// its adverts are not seen there, but for those to adverts that both have.
func unseen(c disclosure.Cell) bool {
	return snapshots.FilterOf(c.Signature) == snapshots.SigSource && c.Value != platform.Key
}

// report puts what became of the figures of people into the report of the run.
func (p *protector) report(r *Report, rebuilt string) {
	r.People["number"] += p.Tally.Numbers
	r.People["under_5"] += p.Tally.UnderFive
	r.Withheld["below_a_small_group"] += p.Tally.Below
	r.Withheld["withdrawn_by_the_audit"] += p.Tally.Withdrawn
	r.Withheld["shares_withdrawn_by_the_audit"] += p.Tally.WithdrawnShares
	r.Protection = &snapshots.People{Protection: string(p.Protection), WorkedOut: p.Tally.WorkedOut, Rebuilt: rebuilt}
}

// carryPeople takes over what the snapshot in dir says of the figures of people that are
// carried from it.
func (r *Report) carryPeople(dir string) error {
	before, err := ReadReport(dir)
	if err != nil {
		return fmt.Errorf("carry the totals of people: %w", err)
	}
	maps.Copy(r.People, before.People)
	maps.Copy(r.Withheld, before.Withheld)
	r.Protection = before.Protection
	return nil
}

// printedDir is where a data directory keeps what each month's release prints of
// people, by skill: nothing there that was not published.
func printedDir(data string) string { return filepath.Join(data, "protected", "printed") }

// printedFile is where that of a month is, in the order of the skills, or that of a snapshot
// which is not promoted.
func printedFile[Of disclosure.Month | snapshots.ID](data string, of Of) string {
	return filepath.Join(printedDir(data), fmt.Sprint(of)+".parquet")
}

// promotePrinted makes what a promoted snapshot prints that of its month, for the audits of
// the months after it. One that carries the figures of another prints nothing new.
func promotePrinted(data string, id snapshots.ID) error {
	err := os.Rename(printedFile(data, id), printedFile(data, peopleMonth(sources.DateOf(id.Date()))))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

// keepPromoted keeps what the current snapshot prints, where a run was killed after it was
// promoted and before that was kept.
func (b *build) keepPromoted() error {
	if b.from != nil {
		return nil
	}
	now, err := b.o.current()
	if errors.Is(err, ErrWholeRun) {
		return nil
	}
	if err == nil {
		err = promotePrinted(b.o.Data, now.ID)
	}
	if err != nil {
		return fmt.Errorf("keep what is printed: %w", err)
	}
	return nil
}

// removeOlder deletes what months before first print.
func removeOlder(data string, first disclosure.Month) error {
	files, err := filepath.Glob(filepath.Join(printedDir(data), "*.parquet"))
	for _, f := range files {
		if strings.TrimSuffix(filepath.Base(f), ".parquet") < first.String() {
			err = errors.Join(err, os.Remove(f))
		}
	}
	return err
}

// restorePrinted makes the files that are missing again, of snapshots that were
// published and that this month's figures could be told apart by.
func (t *tables) restorePrinted(ctx context.Context, now disclosure.Month) error {
	published, err := publishedPeople(t.build.o.Data, now-disclosure.KeptReleases)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(printedDir(t.build.o.Data), 0o700); err != nil {
		return err
	}
	table, _ := snapshots.TableNamed("people")
	for month, dir := range published {
		file := printedFile(t.build.o.Data, month)
		if month >= now {
			continue
		}
		if _, err := os.Stat(file); err == nil {
			continue
		}
		scratch := t.build.o.protected("truth", "printed.parquet")
		if err := t.cells.Sort(ctx, snapshots.TablePath(dir, table.Name), scratch, append([]string{"skill"}, table.Sort...)); err != nil {
			return err
		}
		if err := os.Rename(scratch, file); err != nil {
			return err
		}
	}
	return nil
}

// publishedPeople returns, by month from first on, the directory of the newest published
// snapshot that has the month's figures of people. Those of the first format version are
// exact and not of months; nothing is taken from them.
func publishedPeople(data string, first disclosure.Month) (map[disclosure.Month]string, error) {
	store, err := snapshots.Open(data)
	if err != nil {
		return nil, err
	}
	index, err := store.Index()
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	var ids []snapshots.ID // the oldest first
	for _, e := range index.Snapshots {
		if e.Published() && !e.Removed {
			ids = append(ids, e.ID)
		}
	}
	if current, err := store.Current(); err == nil {
		ids = append(ids, current)
	} else if !errors.Is(err, snapshots.ErrNoCurrent) {
		return nil, err
	}
	found := map[disclosure.Month]string{}
	for _, id := range slices.Backward(ids) {
		month := peopleMonth(sources.DateOf(id.Date()))
		if month < first || found[month] != "" {
			continue
		}
		m, err := store.Manifest(id)
		if err != nil {
			return nil, fmt.Errorf("read what was printed before: %w", err)
		}
		if m.PeopleAsOf != nil && m.People != nil {
			found[month] = store.Dir(id)
		}
	}
	return found, nil
}

// peopleMonth is the month whose end counts of people describe on a date.
func peopleMonth(asOf sources.Date) disclosure.Month {
	end := PeopleAsOf(asOf)
	return disclosure.MonthOf(end.Year, int(end.Month))
}
