package query

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/marcboeker/go-duckdb/v2"

	"labour/snapshots"
	"labour/snapshots/periods"
	"labour/snapshots/sqltext"
	"labour/snapshots/threads"
)

// partSpec defines a part of a snapshot. A part is a DuckDB file with tables that change together.
// The SQL files in sql/<name>/load fill the tables, in the order of the file names. The queries on
// these tables are in sql/<name>/queries.
type partSpec struct {
	name    string
	load    []string    // names of the SQL files in sql/<name>/load that fill the tables
	queries []queryName // queries that read the tables of the part
	events  []string    // paths of event files; only set for the part "platform"
}

// memoryLimit is the maximum memory that DuckDB may use for each database file that is open.
const memoryLimit = "1GB"

// figures and the constants below name the parts of a snapshot. Each part is a DuckDB file.
const (
	// figures is the part with counts of adverts and people, and with the lists of places, sectors
	// and skills.
	figures = "figures"
	// published is the part with the statistics of other publishers.
	published = "published"
	// platform is the part with the platform's own records, such as jobs and events. It changes
	// most often.
	platform = "platform"
	// embargoed is the part with the embargoed datasets that are released in the snapshot.
	embargoed = "embargoed"
)

// partsOf returns the definitions of a snapshot's parts. Each part is a DuckDB file. events are the
// paths of the snapshot's event files. There is a part "embargoed" only if the snapshot has a
// released embargoed dataset.
func partsOf(m snapshots.Manifest, events []string) (list []partSpec) {
	for _, name := range []string{figures, published, platform, embargoed} {
		spec := partOf(name, m)
		if name == platform {
			spec.events = events
		}
		if len(spec.load) > 0 {
			list = append(list, spec)
		}
	}
	return list
}

// partOf returns the definition of one part of a snapshot. A part is a DuckDB file. Embargoed
// datasets that are not released are left out.
func partOf(name string, m snapshots.Manifest) partSpec {
	spec := partSpec{name: name}
	for _, file := range sqlNames(name + "/load") {
		if mayRead(spec.text(file), m) {
			spec.load = append(spec.load, file)
		}
	}
	for _, q := range sqlNames(name + "/queries") {
		if name != embargoed || slices.Contains(releasedDatasets(m), q) {
			spec.queries = append(spec.queries, queryName(name+"/"+q))
		}
	}
	return spec
}

// mayRead reports whether an SQL text reads only data that may be served. It returns false if the
// text reads an embargoed dataset that is not released.
func mayRead(text string, m snapshots.Manifest) bool {
	for _, read := range fileRead.FindAllStringSubmatch(text, -1) {
		if read[1] == embargoed && !slices.Contains(releasedDatasets(m), read[2]) {
			return false
		}
	}
	return true
}

func (p partSpec) text(file string) string { return sqlText(p.name + "/load/" + file) }

// fileRead matches an SQL expression for the path of one of the snapshot's Parquet files.
var fileRead = regexp.MustCompile(`getvariable\('(tables|embargoed)'\) \|\| '/([a-z0-9_]+)\.parquet'`)

// key returns a digest of the Parquet files from which a part is loaded. Two snapshots of the same
// date share the DuckDB file of a part if their keys are equal.
func (p partSpec) key(m snapshots.Manifest) string {
	sums := map[string]string{}
	for _, t := range m.Tables {
		sums["tables/"+t.Name+".parquet"] = t.SHA256
	}
	for _, f := range m.Files {
		sums[f.Path] = f.SHA256
	}
	h := sha256.New()
	fmt.Fprintln(h, p.name, p.load, m.AsOf)
	if len(p.events) > 0 {
		fmt.Fprintln(h, sums["tables/events.parquet"], len(p.events))
	}
	if len(p.events) > 1 { // there are events of partners
		fmt.Fprintln(h, m.PartnersSHA256)
	}
	for _, file := range p.load {
		for _, read := range fileRead.FindAllStringSubmatch(p.text(file), -1) {
			name := read[1] + "/" + read[2] + ".parquet"
			fmt.Fprintln(h, name, sums[name])
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// part is an open DuckDB file with some of the snapshot's tables, and the prepared queries on them.
type part struct {
	db         *sql.DB
	statements map[queryName]statement
	key        string // key in the cache of open parts, see partSpec.key
	users      int    // number of open snapshots that use the file
}

// openPart loads the tables of a part from the snapshot in dir into a new DuckDB file in the
// directory work. It then opens that file.
func openPart(ctx context.Context, spec partSpec, dir, work string, m snapshots.Manifest) (*part, error) {
	file := filepath.Join(work, spec.name+".duckdb")
	if err := spec.loadInto(ctx, file, dir, m); err != nil {
		return nil, fmt.Errorf("load %s: %w", spec.name, err)
	}
	db, err := openLocked(ctx, file)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", spec.name, err)
	}
	statements, err := prepare(ctx, db, spec.queries)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &part{db: db, statements: statements}, nil
}

// loadInto writes the tables of the part from the snapshot in dir to a new DuckDB file. If the
// tables contradict each other, the error wraps ErrInconsistentTables and lists every fault.
func (p partSpec) loadInto(ctx context.Context, file, dir string, m snapshots.Manifest) (err error) {
	threads := threads.CountForGrouping(cmp.Or(threads.CountForRows(m.Rows()), runtime.GOMAXPROCS(0)))
	db, err := connect("", url.Values{
		"memory_limit":   {memoryLimit},
		"threads":        {strconv.Itoa(threads)},
		"temp_directory": {file + ".spill"},
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	// Number of rows that DuckDB skips or reads together. Lists use the smallest possible groups,
	// since their rows are wide and their pages short.
	rowGroup := 2048
	if p.name == figures {
		rowGroup = 32768
	}
	if err := execute(ctx, conn,
		fmt.Sprintf("ATTACH %s AS mounted (ROW_GROUP_SIZE %d)", sqltext.Quote(file), rowGroup), "USE mounted",
		"SET VARIABLE tables = "+sqltext.Quote(filepath.Join(dir, snapshots.TablesDirName)),
		"SET VARIABLE event_files = "+literals(p.events),
		"SET VARIABLE embargoed = "+sqltext.Quote(filepath.Join(dir, snapshots.EmbargoedDirName)),
		"SET VARIABLE month = DATE "+sqltext.Quote(periods.MonthStart(m.AsOf.Time).Format(time.DateOnly)),
		fmt.Sprintf("SET VARIABLE longest_window = %d", periods.LongestWindow),
		sqlText("macros")); err != nil {
		return err
	}
	if err := p.runFiles(ctx, conn); err != nil {
		return err
	}
	return execute(ctx, conn, "CHECKPOINT mounted", "USE memory", "DETACH mounted")
}

// runFiles runs the SQL files that load tables. A file with "_faults" in its name is a check: each
// row that it returns describes a fault. If there are any rows, the error wraps
// ErrInconsistentTables.
func (p partSpec) runFiles(ctx context.Context, conn *sql.Conn) error {
	for _, file := range p.load {
		var err error
		if strings.Contains(file, "_faults") {
			err = refuseFaults(ctx, conn, p.text(file))
		} else {
			err = execute(ctx, conn, p.text(file))
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	return nil
}

func execute(ctx context.Context, conn *sql.Conn, statements ...string) error {
	for _, s := range statements {
		if _, err := conn.ExecContext(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// refuseFaults runs an SQL query that returns one row for each fault in the tables. If there are
// any rows, the error wraps ErrInconsistentTables and lists the faults.
func refuseFaults(ctx context.Context, conn *sql.Conn, query string) error {
	rows, err := conn.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	var faults []error
	for rows.Next() {
		var fault string
		if err := rows.Scan(&fault); err != nil {
			return err
		}
		faults = append(faults, errors.New(fault))
	}
	if len(faults) > 0 {
		return fmt.Errorf("%w: %w", ErrInconsistentTables, errors.Join(faults...))
	}
	return rows.Err()
}

// openLocked opens a DuckDB file for reading. DuckDB cannot access any other file. Each query uses
// one core. Rows are returned in the order in which they were loaded.
func openLocked(ctx context.Context, file string) (*sql.DB, error) {
	db, err := connect(file, url.Values{
		"access_mode":    {"READ_ONLY"},
		"memory_limit":   {memoryLimit},
		"threads":        {strconv.Itoa(threads.CountForGrouping(1))},
		"temp_directory": {""},

		"preserve_insertion_order": {"true"},
	})
	if err != nil {
		return nil, err
	}
	connections := 2 * runtime.GOMAXPROCS(0) // further queries wait for a connection until their deadline
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	for _, lock := range []string{"SET GLOBAL enable_external_access = false", "SET GLOBAL lock_configuration = true"} {
		if _, err := db.ExecContext(ctx, lock); err != nil {
			return nil, errors.Join(fmt.Errorf("%s: %w", lock, err), db.Close())
		}
	}
	return db, nil
}

func connect(file string, config url.Values) (*sql.DB, error) {
	c, err := duckdb.NewConnector(file+"?"+config.Encode(), nil)
	if err != nil {
		return nil, fmt.Errorf("open DuckDB: %w", err)
	}
	return sql.OpenDB(c), nil
}

func literals(list []string) (text string) {
	for _, s := range list {
		text += ", " + sqltext.Quote(s)
	}
	return "[" + strings.TrimPrefix(text, ", ") + "]"
}
