package pipeline

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"

	"labour/pipeline/cells"
	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// tables writes the tables of one snapshot.
type tables struct {
	*build
	writer *snapshots.Writer
	engine *cells.Engine
	files  []snapshots.TableFile
	listed []snapshots.SourcesRow
	// protection is nil until counts of people are masked.
	protection *protection
	held       []snapshots.HeldState // with the rows that were written
	adverts    errgroup.Group        // makes the table adverts beside other work, and
	taking     errgroup.Group        // brings other answers into the snapshot
}

// writeAll writes every table of the format, empty where nothing feeds it.
func (t *tables) writeAll(ctx context.Context) (err error) {
	t.listed = t.sourceRows()
	if t.engine, err = t.build.engine(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.engine.Close()) }()
	counted, err := t.counted(ctx)
	for _, write := range []func(context.Context) error{t.people, t.platform, t.lists, t.heldDatasets} {
		if err == nil {
			err = write(ctx)
		}
	}
	if err := errors.Join(err, t.adverts.Wait(), t.taking.Wait()); err != nil {
		return err
	}
	for name, rows := range counted {
		t.note(name, *rows)
	}
	return nil
}

// counted writes the tables that are plain counts or published figures, and gives where
// their rows will be said. Each answer is brought into the snapshot beside all that is
// done next, with two row groups of each in memory; Wait of t.adverts and of t.taking
// ends it.
func (t *tables) counted(ctx context.Context) (map[string]*int64, error) {
	rows := new(int64)
	counted := map[string]*int64{string(cells.Adverts): rows}
	if err := t.countAdverts(ctx, rows); err != nil {
		return nil, err
	}
	for _, q := range []cells.Question{cells.AdvertsTotal, cells.CourseDemand} {
		t.o.step("count " + string(q))
		file, err := t.ask(ctx, q)
		if err != nil {
			return nil, err
		}
		rows := new(int64)
		counted[string(q)] = rows
		t.taking.Go(func() (err error) {
			*rows, err = t.imported(string(q), file)
			return err
		})
	}
	return counted, nil
}

// countAdverts makes the table adverts of what the engine counts.
func (t *tables) countAdverts(ctx context.Context, rows *int64) error {
	t.o.step("count " + string(cells.Adverts))
	file, err := t.ask(ctx, cells.Adverts)
	if err != nil {
		return err
	}
	names, err := t.engine.AdvertNames(ctx)
	if err != nil {
		return err
	}
	table, _ := snapshots.TableNamed(string(cells.Adverts))
	meta := t.metadata(table)
	t.adverts.Go(func() (err error) {
		*rows, err = names.Table(ctx, t.writer.TablePath(table.Name), meta, t.asOf(), file)
		return err
	})
	return nil
}

// countedAdverts is the file of the table adverts, once it is whole; the engine's later
// questions read it.
func (t *tables) countedAdverts(ctx context.Context) (file string, err error) {
	if err := t.adverts.Wait(); err != nil {
		return "", err
	}
	file = t.writer.TablePath(string(cells.Adverts))
	return file, t.engine.Show(ctx, string(cells.Adverts), file)
}

// ask writes the answer to a question into the protected zone.
func (t *tables) ask(ctx context.Context, q cells.Question) (file string, err error) {
	file = t.o.protected("truth", string(q)+".parquet")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return "", err
	}
	return file, t.engine.Write(ctx, q, file)
}

// take brings a file that holds nothing to hide into the snapshot, cast to the
// table's schema.
func (t *tables) take(name, file string) error {
	rows, err := t.imported(name, file)
	if err != nil {
		return err
	}
	t.note(name, rows)
	return nil
}

// imported is take without noting the table.
func (t *tables) imported(name, file string) (rows int64, err error) {
	table, ok := snapshots.TableNamed(name)
	if !ok {
		return 0, fmt.Errorf("no table %q in the format", name)
	}
	if rows, err = parquetio.Import(t.writer.TablePath(name), table, t.metadata(table), t.asOf(), file); err != nil {
		return 0, fmt.Errorf("table %s: %w", name, err)
	}
	return rows, nil
}

// write writes rows that were made in Go as a table.
func write[T any](t *tables, name string, rows []T) error {
	table, ok := snapshots.TableNamed(name)
	if !ok {
		return fmt.Errorf("no table %q in the format", name)
	}
	if err := parquetio.WriteTable(t.writer.TablePath(name), table, t.metadata(table), t.asOf(), rows); err != nil {
		return fmt.Errorf("table %s: %w", name, err)
	}
	t.note(name, int64(len(rows)))
	return nil
}

func (t *tables) note(name string, rows int64) {
	t.files = append(t.files, snapshots.TableFile{Name: name, Rows: rows})
	t.report.Tables[name] = rows
}

func (t *tables) asOf() time.Time { return day(t.o.AsOf) }

// metadata names in each file the licences and statements of the sources that its
// rows come from.
func (t *tables) metadata(table snapshots.Table) map[string]string {
	return snapshots.TableMetadata(table, t.writer.ID(), snapshots.SourcesOf(table.Name, t.listed))
}
