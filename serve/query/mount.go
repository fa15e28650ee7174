package query

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/marcboeker/go-duckdb/v2"
	"golang.org/x/sync/errgroup"

	"labour/serve/query/tally"
	"labour/snapshots"
)

//go:embed sql
var sqlFiles embed.FS

// rowGroup is the number of rows that DuckDB skips or reads together. Small
// groups let a question read little more than its own rows.
const rowGroup = 8192

// ErrUnfit is returned for a snapshot whose tables name what other tables of it
// do not list.
var ErrUnfit = errors.New("the tables of the snapshot do not fit together")

// Mount makes the sealed snapshot in dir ready for questions. It reads dir only
// while it runs; ctx stops it. The caller must Close the snapshot.
func Mount(ctx context.Context, dir string, o Options) (*Snapshot, error) {
	o = o.withDefaults()
	if o.Verify != nil {
		if err := o.Verify(ctx, dir); err != nil {
			return nil, fmt.Errorf("verify %s: %w", dir, err)
		}
	}
	manifest, _, err := snapshots.ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	work, err := os.MkdirTemp(o.TempDir, "labour-mount-")
	if err != nil {
		return nil, fmt.Errorf("mount %s: %w", manifest.ID, err)
	}
	// Removed even while the file in it is open: what is mounted needs no name.
	defer os.RemoveAll(work)
	file := filepath.Join(work, "snapshot.duckdb")
	faults, err := load(ctx, dir, file, manifest, o)
	if err != nil {
		return nil, fmt.Errorf("mount %s: %w", manifest.ID, err)
	}
	s, err := open(ctx, file, manifest, o)
	if err != nil {
		return nil, fmt.Errorf("mount %s: %w", manifest.ID, err)
	}
	if err := s.readKept(ctx, dir, faults); err != nil {
		return nil, errors.Join(fmt.Errorf("mount %s: %w", manifest.ID, err), s.Close())
	}
	return s, nil
}

// readKept reads what is answered from memory, each kind beside the others. All faults of
// the snapshot are in one error, with those that were found before.
func (s *Snapshot) readKept(ctx context.Context, dir string, faults []error) error {
	var ofJobs, ofTally []error
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return s.readOutlines(dir) })
	g.Go(func() (err error) { ofJobs, err = s.readJobs(ctx, dir); return err })
	g.Go(func() error { return s.readEvents(ctx, dir) })
	g.Go(func() (err error) { ofTally, err = s.readTally(ctx, dir); return err })
	if err := g.Wait(); err != nil {
		return err
	}
	if faults = slices.Concat(faults, ofJobs, ofTally); len(faults) > 0 {
		return fmt.Errorf("%w: %w", ErrUnfit, errors.Join(faults...))
	}
	return nil
}

// readTally reads the adverts and the people. The faults are what they name and other
// tables do not list.
func (s *Snapshot) readTally(ctx context.Context, dir string) (faults []error, err error) {
	s.tally, err = tally.Load(ctx, filepath.Join(dir, snapshots.TablesName), monthOf(s.AsOf()), tally.Vocabulary{
		Places: s.places, Kinds: s.kinds, Sectors: s.sectors, Skills: s.skills, Sources: s.sourceKeys})
	var unfit *tally.Unfit
	if errors.As(err, &unfit) {
		return []error{unfit}, nil
	}
	return nil, err
}

// faultsShown bounds how many faults of one kind an error names.
const faultsShown = 20

// faultsOf are the first of some faults in their order.
func faultsOf(found map[string]bool) (faults []error) {
	for _, f := range slices.Sorted(maps.Keys(found)) {
		if len(faults) < faultsShown {
			faults = append(faults, errors.New(f))
		}
	}
	return faults
}

// monthOf is the first day of a day's month.
func monthOf(day time.Time) time.Time {
	return time.Date(day.Year(), day.Month(), 1, 0, 0, 0, 0, time.UTC)
}

// load writes the DuckDB file of a snapshot by running the files of sql/load in
// the order of their names, and lists what does not fit together.
func load(ctx context.Context, dir, file string, m snapshots.Manifest, o Options) (faults []error, err error) {
	db, err := connect("", url.Values{
		"memory_limit":   {o.MemoryLimit},
		"threads":        {strconv.Itoa(o.Threads)},
		"temp_directory": {filepath.Join(filepath.Dir(file), "spill")},
	})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	for _, step := range []string{
		fmt.Sprintf("ATTACH %s AS mounted (ROW_GROUP_SIZE %d)", literal(file), rowGroup),
		"USE mounted",
		fmt.Sprintf("SET VARIABLE tables = %s", literal(filepath.Join(dir, snapshots.TablesName))),
		fmt.Sprintf("SET VARIABLE month = DATE %s", literal(monthOf(m.AsOf.Time).Format(time.DateOnly))),
	} {
		if _, err := conn.ExecContext(ctx, step); err != nil {
			return nil, err
		}
	}
	if faults, err = runLoadFiles(ctx, conn); err != nil {
		return nil, err
	}
	if err := loadHeld(ctx, conn, dir, m); err != nil {
		return nil, err
	}
	for _, step := range []string{"CHECKPOINT mounted", "USE memory", "DETACH mounted"} {
		if _, err := conn.ExecContext(ctx, step); err != nil {
			return nil, err
		}
	}
	return faults, nil
}

func runLoadFiles(ctx context.Context, conn *sql.Conn) (faults []error, err error) {
	files, err := fs.ReadDir(sqlFiles, "sql/load")
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		text, err := fs.ReadFile(sqlFiles, "sql/load/"+f.Name())
		if err != nil {
			return nil, err
		}
		if strings.HasSuffix(f.Name(), "_faults.sql") {
			var found []error
			found, err = listFaults(ctx, conn, string(text))
			faults = append(faults, found...)
		} else {
			_, err = conn.ExecContext(ctx, string(text))
		}
		if err != nil {
			return nil, fmt.Errorf("load %s: %w", f.Name(), err)
		}
	}
	return faults, nil
}

// listFaults gives every fault that a query lists.
func listFaults(ctx context.Context, conn *sql.Conn, query string) (faults []error, err error) {
	rows, err := conn.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var fault string
		if err := rows.Scan(&fault); err != nil {
			return nil, err
		}
		faults = append(faults, errors.New(fault))
	}
	return faults, rows.Err()
}

// open opens a loaded file read-only and locked.
func open(ctx context.Context, file string, m snapshots.Manifest, o Options) (_ *Snapshot, err error) {
	db, err := connect(file, url.Values{
		"access_mode":    {"READ_ONLY"},
		"memory_limit":   {o.MemoryLimit},
		"threads":        {strconv.Itoa(o.Threads)},
		"temp_directory": {""},
	})
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, db.Close())
		}
	}()
	db.SetMaxOpenConns(o.Connections)
	db.SetMaxIdleConns(o.Connections)
	for _, lock := range []string{"SET GLOBAL enable_external_access = false", "SET GLOBAL lock_configuration = true"} {
		if _, err := db.ExecContext(ctx, lock); err != nil {
			return nil, fmt.Errorf("%s: %w", lock, err)
		}
	}
	s := &Snapshot{db: db, manifest: m}
	if err := s.readVocabularies(ctx); err != nil {
		return nil, fmt.Errorf("read vocabularies: %w", err)
	}
	if s.statements, err = prepare(ctx, db, append(questions(), heldQuestions(m)...)); err != nil {
		return nil, err
	}
	return s, nil
}

func connect(file string, config url.Values) (*sql.DB, error) {
	c, err := duckdb.NewConnector(file+"?"+config.Encode(), nil)
	if err != nil {
		return nil, fmt.Errorf("open DuckDB: %w", err)
	}
	return sql.OpenDB(c), nil
}

// literal is a text as SQL writes it, for the few statements of mounting that
// take no arguments. Only paths and dates of the server's own are written so.
func literal(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
