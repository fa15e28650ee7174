// Package diff lists the differences between two snapshots: the added, removed and changed rows of
// each table, with the published values and a reason. It reads only published values, so a
// difference never discloses more than the two snapshots.
//
// The two files of a table are sorted by key. They are read once, in parallel, in constant memory.
package diff

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"slices"
	"strings"

	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/snapshots/store"
)

// ComparedSnapshot is one of the two snapshots that Compare compares. It need not be sealed.
// Compare uses only these fields of its manifest: id, as_of, people_as_of, tool_version, inputs and
// people_withdrawn.
type ComparedSnapshot struct {
	Dir      string
	Manifest snapshots.Manifest
}

// Options limits which tables are compared, and the number of changes that are listed one by one.
type Options struct {
	Tables []string // names of the tables and embargoed datasets to compare; nil = all
	// MaxListedChanges is the largest number of changed rows of a table that Compare lists one by
	// one. If a table has more, Compare counts them instead. 0 = no limit.
	MaxListedChanges int
}

// TableTotals counts the differences between two snapshots in one table.
type TableTotals struct {
	Table   string `json:"table"`
	Added   int64  `json:"added"`
	Removed int64  `json:"removed"`
	Changed int64  `json:"changed"`
	// number of rows whose key is in both snapshots, changed or not
	Shared  int64                            `json:"shared"`
	Reasons map[snapshots.ChangeReason]int64 `json:"reasons"`
}

// Changes returns the total number of added, removed and changed rows.
func (t TableTotals) Changes() int64 { return t.Added + t.Removed + t.Changed }

// Compare finds the differences between the older snapshot from and the newer snapshot to, and
// returns the number of differences in each table. It calls emit for each difference, sorted by
// table and then by key. If a table has more than o.MaxListedChanges differences, Compare calls
// emit with counts of them instead.
func Compare(ctx context.Context, from, to ComparedSnapshot, o Options,
	emit func(snapshots.ChangesRow) error) ([]TableTotals, error) {
	reasons, err := newReasons(from, to)
	if err != nil {
		return nil, err
	}
	var totals []TableTotals
	for _, f := range files() {
		if o.Tables != nil && !slices.Contains(o.Tables, f.table.Name) {
			continue
		}
		one := &comparison{file: f, reasons: reasons,
			total: TableTotals{Table: f.table.Name, Reasons: map[snapshots.ChangeReason]int64{}},
			out:   &listing{limit: o.MaxListedChanges, emit: emit}}
		if err := one.run(ctx, from.Dir, to.Dir); err != nil {
			return nil, fmt.Errorf("compare %s of %s and %s: %w", f.table.Name, from.Manifest.ID, to.Manifest.ID, err)
		}
		totals = append(totals, one.total)
	}
	return totals, nil
}

// file is a table to compare, with the path of its Parquet file inside a snapshot.
type file struct {
	table snapshots.Table
	path  string
}

// files returns the tables and embargoed datasets to compare, sorted by name. It leaves out the
// tables of rankings, which are computed from other tables.
func files() []file {
	var all []file
	for _, t := range snapshots.Tables() {
		if !snapshots.IsRankingTable(t.Name) {
			all = append(all, file{t, snapshots.TableFileName(t.Name)})
		}
	}
	for _, t := range snapshots.EmbargoedTables() {
		all = append(all, file{t, snapshots.EmbargoedFileName(t.Name)})
	}
	slices.SortFunc(all, func(a, b file) int { return strings.Compare(a.table.Name, b.table.Name) })
	return all
}

type comparison struct {
	file
	reasons *reasons
	periods periods
	total   TableTotals
	out     *listing
	layout  layout
}

func (c *comparison) run(ctx context.Context, from, to string) error {
	before, after := snapshots.JoinPath(from, c.path), snapshots.JoinPath(to, c.path)
	same, err := c.sameLayout(before, after)
	if err != nil {
		return err
	}
	if !same {
		return c.layoutChanged(after)
	}
	c.layout = layoutOf(c.table)
	if c.periods, err = readPeriods(c.table.Name, before, after); err != nil {
		return err
	}
	if err := c.merge(ctx, before, after); err != nil {
		return err
	}
	return c.out.end()
}

// sameLayout reports whether all files have exactly the columns of the table's schema. It ignores
// files that do not exist.
func (c *comparison) sameLayout(paths ...string) (bool, error) {
	for _, path := range paths {
		about, err := parquetio.ReadFooter(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil && !errors.Is(err, parquetio.ErrSchema) {
			return false, err
		}
		if err != nil || !slices.Equal(about.Columns, snapshots.WithoutDescriptions(c.table.Columns)) {
			return false, nil
		}
	}
	return true, nil
}

// layoutChanged emits one change for the whole table, because its columns differ between the two
// snapshots. path is the table's file in the newer snapshot.
func (c *comparison) layoutChanged(path string) error {
	about, err := parquetio.ReadFooter(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, parquetio.ErrSchema) {
		return err
	}
	c.total.Changed, c.total.Reasons[snapshots.ReasonMethod] = about.Rows, about.Rows
	return c.out.emit(snapshots.ChangesRow{Table: c.table.Name, Change: snapshots.RowChanged,
		Reason: snapshots.ReasonMethod, Keys: about.Rows})
}

// merge reads the two files of a table in parallel, sorted by key. before is the file's path in the
// older snapshot, and after in the newer one. merge emits a change for each key whose rows differ
// or that only one file has.
func (c *comparison) merge(ctx context.Context, before, after string) error {
	old, endOld := open(before, c.layout.columns)
	defer endOld()
	fresh, endFresh := open(after, c.layout.columns)
	defer endFresh()
	if err := errors.Join(old.next(), fresh.next()); err != nil {
		return err
	}
	for n := 0; old.row != nil || fresh.row != nil; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := c.step(old, fresh); err != nil {
			return err
		}
	}
	return nil
}

// step compares the next row of both files and advances past the row with the smaller key. It
// records a change if only one file has the key, or if the rows with this key differ.
func (c *comparison) step(old, fresh *reader) error {
	keys := len(c.table.SortColumns)
	order := 0
	switch {
	case old.row == nil:
		order = 1
	case fresh.row == nil:
		order = -1
	default:
		order = parquetio.CompareValues(old.row[:keys], fresh.row[:keys])
	}
	switch {
	case order < 0:
		c.total.Removed++
		return errors.Join(c.recordChange(snapshots.RowRemoved, old.row, nil), old.next())
	case order > 0:
		c.total.Added++
		return errors.Join(c.recordChange(snapshots.RowAdded, nil, fresh.row), fresh.next())
	}
	c.total.Shared++
	var err error
	if !slices.Equal(old.row[keys:], fresh.row[keys:]) {
		c.total.Changed++
		err = c.recordChange(snapshots.RowChanged, old.row, fresh.row)
	}
	return errors.Join(err, old.next(), fresh.next())
}

// emptyObject is the empty JSON object. It replaces the old values of a row whose figure was
// withdrawn.
var emptyObject = "{}"

// recordChange records that one row was added, removed or changed, and determines the reason. old
// is the row in the older snapshot, or nil if it was added. fresh is the row in the newer snapshot,
// or nil if it was removed.
func (c *comparison) recordChange(kind snapshots.ChangeKind, old, fresh []parquetio.Value) error {
	why := c.reasons.reasonFor(c, old, fresh)
	c.total.Reasons[why.reason]++
	row := snapshots.ChangesRow{Table: c.table.Name, Change: kind, Reason: why.reason, SourceKeys: why.sources,
		ArchiveSHA256: why.archive, Keys: 1}
	return c.out.add(row, func(row *snapshots.ChangesRow) {
		some := fresh
		if some == nil {
			some = old
		}
		row.Key = c.layout.key(some)
		row.Old, row.New = c.layout.values(old, fresh), c.layout.values(fresh, old)
		if row.Reason == snapshots.ReasonWithdrawal { // a withdrawn value must not be published here either
			row.Old = &emptyObject
		}
	})
}

// reader reads the rows of a table from one of the two compared snapshots. The field row is the
// current row. It is nil after the last row, or if there is no file.
type reader struct {
	pull func() ([]parquetio.Value, error, bool)
	row  []parquetio.Value
}

func open(path string, columns []string) (r *reader, end func()) {
	pull, end := iter.Pull2(parquetio.ScanColumns(path, columns))
	return &reader{pull: pull}, end
}

func (r *reader) next() (err error) {
	if r.row, err, _ = r.pull(); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// WriteChanges writes the file changes.parquet of the snapshot that w is writing. The file lists
// the differences from the store's current snapshot, and has no rows if there is none. m is the
// manifest of the new snapshot, and sources are the rows of its table sources. The caller must have
// written all its tables.
func WriteChanges(ctx context.Context, store *store.Store, w *store.Writer, m snapshots.Manifest,
	sources []snapshots.SourcesRow) (totals []TableTotals, err error) {
	from, previous, err := current(store)
	if err != nil {
		return nil, fmt.Errorf("what changed: %w", err)
	}
	meta := snapshots.ChangesMetadata(w.ID(), previous, sources)
	if len(m.PeopleWithdrawn) > 0 {
		text, err := json.Marshal(m.PeopleWithdrawn)
		if err != nil {
			return nil, fmt.Errorf("what changed: %w", err)
		}
		meta[snapshots.MetaPeopleWithdrawn] = string(text)
	}
	out, err := parquetio.CreateTable[snapshots.ChangesRow](w.FilePath(snapshots.ChangesFileName),
		snapshots.ChangesTable(),
		meta, w.ID().Date())
	if err != nil {
		return nil, fmt.Errorf("what changed: %w", err)
	}
	if previous != nil {
		to := ComparedSnapshot{Dir: w.Dir(), Manifest: m}
		if totals, err = Compare(ctx, from, to, Options{MaxListedChanges: snapshots.MaxTableChanges},
			out.Append); err != nil {
			return nil, errors.Join(err, out.Discard())
		}
	}
	return totals, out.Close()
}

// current returns the store's current snapshot, and the entry that names it in the manifest of the
// next snapshot. The entry is nil if there is no current snapshot.
func current(in *store.Store) (ComparedSnapshot, *snapshots.PreviousSnapshot, error) {
	id, err := in.Current()
	if errors.Is(err, store.ErrNoCurrent) {
		return ComparedSnapshot{}, nil, nil
	}
	if err != nil {
		return ComparedSnapshot{}, nil, err
	}
	m, sum, err := snapshots.ReadManifest(in.SnapshotDir(id))
	if err != nil {
		return ComparedSnapshot{}, nil, err
	}
	return ComparedSnapshot{Dir: in.SnapshotDir(id), Manifest: m},
		&snapshots.PreviousSnapshot{ID: id, ManifestSHA256: sum}, nil
}
