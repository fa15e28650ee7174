package pipeline

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"

	"labour/pipeline/calendar"
	"labour/pipeline/cells"
	"labour/snapshots"
	"labour/snapshots/parquetio"
)

type tables struct {
	build    *build
	writer   *snapshots.Writer
	manifest snapshots.Manifest
	cells    *cells.Cells
	files    []snapshots.TableFile
	listed   []snapshots.SourcesRow
	level    calendar.Cadence
	previous *previous                  // from which what is not due at that level is taken over
	other    map[string]bool            // its places that are made of other councils by now
	quarter  *snapshots.People          // of the figures of people; nil without people
	states   []snapshots.EmbargoedState // of the embargoed datasets, with the rows that were written
	taking   errgroup.Group             // brings answers into the snapshot while others are asked
	taken    map[string]*int64          // their rows, by table, when taking has ended
}

// describeSources finds the rows of the table sources, from which every file is credited.
func (t *tables) describeSources(context.Context) (err error) {
	if calendar.Day.DueAt(t.level) {
		t.listed = t.build.sourceRows()
		return nil
	}
	t.listed, err = parquetio.ReadAll[snapshots.SourcesRow](t.previous.table("sources"))
	return err
}

// sources writes the sources.
func (t *tables) sources(context.Context) error { return write(t, "sources", t.listed) }

// closeCells waits for the answers that are being brought in, and closes the engine.
func (t *tables) closeCells() (err error) {
	err = t.taking.Wait()
	if t.cells != nil {
		err = errors.Join(err, t.cells.Close())
		t.cells = nil
	}
	return err
}

func (t *tables) finish(context.Context) error {
	if err := t.closeCells(); err != nil {
		return err
	}
	for name, rows := range t.taken {
		t.addTable(name, *rows)
	}
	return nil
}

// aggregate writes the tables that are plain counts or published figures.
func (t *tables) aggregate(ctx context.Context) error {
	return t.counted(ctx, cells.Adverts, cells.AdvertsTotal, cells.CourseDemand)
}

// rankings writes which lists are shown, and their rankings in both orders.
func (t *tables) rankings(ctx context.Context) error {
	return t.counted(ctx, cells.Lists, cells.Rankings, cells.RankingsBySkill)
}

// counted is answered, with a step for each question.
func (t *tables) counted(ctx context.Context, questions ...cells.Question) error {
	for _, q := range questions {
		t.build.o.step("count " + string(q))
		if err := t.answered(ctx, q); err != nil {
			return err
		}
	}
	return nil
}

// ask writes the answer to a question into the protected zone.
func (t *tables) ask(ctx context.Context, q cells.Question) (file string, err error) {
	file = t.build.o.protected("truth", string(q)+".parquet")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return "", err
	}
	return file, t.cells.Write(ctx, q, file)
}

// answered writes the table that is the answer to a question.
func (t *tables) answered(ctx context.Context, q cells.Question) error {
	file, err := t.ask(ctx, q)
	if err == nil {
		t.importTable(string(q), file)
	}
	return err
}

// importTable brings a file that holds nothing to hide into the snapshot, cast to the table's
// schema, while others are written. Two row groups of it are in memory until t.taking has ended,
// and t.taken has how many rows there are.
func (t *tables) importTable(name, file string) {
	rows := new(int64)
	t.taken[name] = rows
	t.taking.Go(func() (err error) {
		table, _ := snapshots.TableNamed(name)
		if *rows, err = parquetio.Import(t.writer.TablePath(name), table, t.metadata(table), t.describes(name),
			file); err != nil {
			return fmt.Errorf("table %s: %w", name, err)
		}
		return nil
	})
}

// write writes rows that were made in Go as a table, in its order.
func write[T any](t *tables, name string, rows []T) error {
	table, _ := snapshots.TableNamed(name)
	if err := parquetio.WriteTable(t.writer.TablePath(name), table, t.metadata(table), t.describes(name),
		snapshots.Sorted(table, rows)); err != nil {
		return fmt.Errorf("table %s: %w", name, err)
	}
	t.addTable(name, int64(len(rows)))
	return nil
}

func (t *tables) addTable(name string, rows int64) {
	t.files = append(t.files, snapshots.TableFile{Name: name, Rows: rows})
	t.build.report.Tables[name] = rows
}

func (t *tables) asOf() time.Time { return day(t.build.o.AsOf) }

// describes returns the date that a table describes: that of tables of people is the last day of
// their quarter.
func (t *tables) describes(table string) time.Time {
	if snapshots.IsPeopleTable(table) && t.build.hasPeople() {
		_, to := t.build.peopleQuarter()
		return day(to)
	}
	return t.asOf()
}

// metadata names in each file the licences and statements of the sources that its rows come from.
func (t *tables) metadata(table snapshots.Table) map[string]string {
	return snapshots.TableMetadata(table, t.writer.ID(), snapshots.SourcesOf(table.Name, t.listed))
}
