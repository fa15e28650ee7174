package verify

import (
	"context"
	"embed"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"labour/pipeline/cells/engine"
	"labour/pipeline/cells/engine/duckdb"
	"labour/snapshots"
	"labour/snapshots/outline"
	"labour/snapshots/parquetio"
	"labour/snapshots/store"
	"labour/snapshots/threads"
)

//go:embed sql/*/*.sql
var files embed.FS

//go:embed sql/setup.sql
var setupSQL string

var (
	// faultsSQL is the SQL that lists the faults found by a query, up to maxPerFile.
	//
	//go:embed sql/faults.sql
	faultsSQL string
	// manySQL is the SQL that counts the faults found by a query.
	//
	//go:embed sql/many.sql
	manySQL string
)

// memoryMB is DuckDB's memory limit in megabytes. Beyond it, DuckDB writes temporary files.
const memoryMB = 512

// fewRows is the largest number of rows of a file that is kept in memory. Larger files are read
// again for every query. Tests change it.
var fewRows = int64(50_000)

// faultQuery is an SQL query that finds one kind of fault. The field `of` is the name of the table
// that it checks, or of a kind of column (see isKind). The query is in the file
// sql/<check>/<of>.sql. If there are several, they are in sql/<check>/<of>.<what>.sql.
type faultQuery struct{ check, of, text string }

// faultQueries returns all queries that find faults, from the folder sql.
func faultQueries() ([]faultQuery, error) {
	names, err := fs.Glob(files, "sql/*/*.sql")
	var all []faultQuery
	for _, name := range names {
		text, readErr := files.ReadFile(name)
		err = errors.Join(err, readErr)
		of, _, _ := strings.Cut(path.Base(name), ".")
		all = append(all, faultQuery{strings.Replace(path.Base(path.Dir(name)), "small_", "small ", 1), of, string(text)})
	}
	return all, err
}

// rowChecker finds faults in the rows of a snapshot's tables, with queries in DuckDB.
type rowChecker struct {
	*subject
	duckdb  *duckdb.Database
	queries []faultQuery
	views   map[string]bool // names of the tables for which DuckDB has a view
}

// rowFile is a Parquet file of a snapshot, with its table's schema. file is its path within the
// snapshot. path is its full path.
type rowFile struct {
	snapshots.Table
	file, path string
}

// checkRows finds faults in the rows of all tables, embargoed datasets and partners' events. It
// also parses the outlines of boroughs.
func checkRows(ctx context.Context, s *subject) (err error) {
	temp, err := os.MkdirTemp("", "labour-verify-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	j := &rowChecker{subject: s, views: map[string]bool{}}
	if j.duckdb, err = duckdb.Open(ctx, engine.Limits{MemoryMB: memoryMB, TempDir: temp,
		Threads: threads.CountForRows(s.manifest.Rows())}); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, j.duckdb.Close()) }()
	if err := j.prepare(ctx); err != nil {
		return err
	}
	var all []rowFile
	for _, a := range s.tables() {
		rows, err := j.createView(ctx, a)
		if err != nil {
			return err
		}
		// A file without rows has no faults, except a ranking, which may lack all its rows.
		if rows > 0 || snapshots.IsRankingTable(a.Name) {
			all = append(all, a)
		}
	}
	for _, a := range all {
		if err := j.runQueries(ctx, a); err != nil {
			return err
		}
	}
	if j.views["outlines"] {
		j.parseOutlines()
	}
	return j.partners(ctx)
}

// tables returns the files whose rows are checked. With SkipLargeTableRows it leaves out the tables
// adverts and adverts_total and the rankings.
func (s *subject) tables() []rowFile {
	var all []rowFile
	add := func(t snapshots.Table, file string) {
		all = append(all, rowFile{t, file, snapshots.JoinPath(s.dir, file)})
	}
	add(snapshots.ChangesTable(), snapshots.ChangesFileName)
	for _, t := range snapshots.Tables() {
		isOfAdverts := t.Name == "adverts" || t.Name == "adverts_total" || snapshots.IsRankingTable(t.Name)
		if !s.SkipLargeTableRows || !isOfAdverts {
			add(t, snapshots.TableFileName(t.Name))
		}
	}
	for _, t := range snapshots.EmbargoedTables() {
		if s.manifest.EmbargoedNamed(t.Name).Rows != nil {
			add(t, snapshots.EmbargoedFileName(t.Name))
		}
	}
	return all
}

// prepare loads the SQL queries and sets their variables, such as as_of.
func (j *rowChecker) prepare(ctx context.Context) (err error) {
	if j.queries, err = faultQueries(); err != nil {
		return err
	}
	var names, counts []string
	for _, t := range slices.Concat(snapshots.Tables(), snapshots.EmbargoedTables()) {
		names = append(names, t.Name)
		for _, c := range t.PeopleColumns() {
			counts = append(counts, t.Name+"."+c.Value)
		}
	}
	peopleAsOf := j.manifest.AsOf
	if j.manifest.PeopleAsOf != nil {
		peopleAsOf = *j.manifest.PeopleAsOf
	}
	for variable, text := range map[string]string{"as_of": j.manifest.AsOf.String(),
		"people_as_of":  peopleAsOf.String(),
		"people_tables": strings.Join(snapshots.PeopleTables(), ","), "platform": j.manifest.PlatformName,
		"tables": strings.Join(names, ","), "counts": strings.Join(counts, ",")} {
		if err := j.duckdb.SetVariable(ctx, variable, text); err != nil {
			return err
		}
	}
	rows, err := j.duckdb.Query(ctx, setupSQL)
	if err != nil {
		return err
	}
	return rows.Close()
}

// createView creates a DuckDB view of a file, with the name of its table. It returns the number of
// rows. For a changed file, or one with other columns, it creates no view and returns 0. Other
// checks report these faults.
func (j *rowChecker) createView(ctx context.Context, a rowFile) (int64, error) {
	about, err := parquetio.ReadFooter(a.path)
	if err != nil || !slices.Equal(about.Columns, snapshots.WithoutDescriptions(a.Columns)) ||
		j.counts[[2]string{"files", a.file}]+j.counts[[2]string{"sums", a.file}] > 0 {
		return 0, nil
	}
	few := about.Rows <= fewRows && a.Name != "partners" // several files have this name, one after the other
	if err := j.duckdb.ReadWithRowNumbers(ctx, a.Name, a.path, few); err != nil {
		j.fault("rows", a.file, WholeFile, "cannot be read: %v", err)
		return 0, ctx.Err()
	}
	j.views[a.Name] = true
	j.report.Rows += about.Rows
	return about.Rows, nil
}

// runQueries runs all queries that apply to a file, and records the faults.
func (j *rowChecker) runQueries(ctx context.Context, a rowFile) error {
	for _, q := range j.queries {
		for _, column := range j.columns(q, a) {
			text := strings.NewReplacer("{table}", a.Name, "{column}", column, "{sort}",
				strings.Join(a.SortColumns, ", ")).Replace(q.text)
			if !j.canRun(text) {
				continue
			}
			if err := j.runQuery(ctx, q.check, a.file, text); err != nil && ctx.Err() == nil {
				j.fault(q.check, a.file, WholeFile, "cannot be judged: %v", err)
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
	}
	return nil
}

// columns returns the columns of a file to which a query applies. For a query on the whole file it
// returns a single "". It returns nil if the query does not apply to the file.
func (j *rowChecker) columns(q faultQuery, a rowFile) (names []string) {
	_, isTable := j.schema(a.Name)
	isOfEach := q.of == "each" && (isTable || q.check == "as_of")
	isOfCells := q.of == "cells" && isTable && strings.HasPrefix(a.Name, "adverts")
	switch {
	case q.of == a.Name, isOfEach, isOfCells:
		return []string{""}
	case !isTable:
		return nil
	}
	for _, c := range a.Columns {
		if j.isKind(q.of, a, c) {
			names = append(names, c.Name)
		}
	}
	return names
}

// isKind reports whether a column is of the given kind, such as "counts" or "shares". Queries apply
// to kinds of columns.
func (j *rowChecker) isKind(kind string, a rowFile, c snapshots.Column) bool {
	_, count := a.Column(c.Name + "_status")
	source := slices.Contains(snapshots.SourceColumns(), c.Name)
	switch kind {
	case "counts": // counts of people
		return count
	case "rounded": // counts of people that are rounded to a multiple of 5
		return count && j.manifest.RoundsPeople() && snapshots.IsPeopleTable(a.Name)
	case "shares":
		return c.Type == snapshots.TypeDecimal1 && !strings.Contains(c.Name, "change")
	case "vacancies":
		return path.Dir(a.file) == snapshots.EmbargoedDirName && (c.Name == "vacancies" || c.Name == "previous_vacancies")
	case "named":
		return source
	case "counted":
		return source && slices.Contains([]string{"adverts", "adverts_total", "demand", "trends", "reach"}, a.Name)
	}
	return false
}

// schema returns the schema of a table or embargoed dataset. The second result is false if there is
// none with this name.
func (j *rowChecker) schema(name string) (snapshots.Table, bool) {
	if t, ok := snapshots.FindEmbargoedTable(name); ok {
		return t, true
	}
	return snapshots.FindTable(name)
}

var readTables = regexp.MustCompile(`(?:FROM|JOIN) ([a-z0-9_]+)`)

// canRun reports whether all tables that a query reads have a DuckDB view.
func (j *rowChecker) canRun(text string) bool {
	return !slices.ContainsFunc(readTables.FindAllStringSubmatch(text, -1), func(table []string) bool {
		_, isTable := j.schema(table[1])
		return isTable && !j.views[table[1]]
	})
}

// runQuery runs one query on a file, and records the faults that it finds.
func (j *rowChecker) runQuery(ctx context.Context, check, file, text string) error {
	rows, err := j.duckdb.Query(ctx, strings.Replace(faultsSQL, "{question}", text, 1))
	if err != nil {
		return err
	}
	defer rows.Close() // Err returns the error
	n := 0
	for ; rows.Next(); n++ {
		var row int64
		var what string
		if err := rows.Scan(&row, &what); err != nil {
			return err
		}
		j.fault(check, file, row, "%s", what)
	}
	if err := rows.Err(); err != nil || n < maxPerFile {
		return err
	}
	all := n
	err = j.duckdb.QueryRow(ctx, strings.Replace(manySQL, "{question}", text, 1), &all)
	j.counts[[2]string{check, file}] += all - n
	return err
}

// parseOutlines parses the map outline of every borough. An outline that cannot be parsed is a
// fault.
func (j *rowChecker) parseOutlines() {
	file := snapshots.TableFileName("outlines")
	row := int64(0)
	for r, err := range parquetio.Rows[snapshots.OutlinesRow](snapshots.JoinPath(j.dir, file)) {
		if err == nil {
			_, err = outline.Parse(r.Outline)
		}
		if err != nil {
			j.fault("outlines", file, row, "%v", err)
		}
		row++
	}
}

// partners checks the files of partners' events, if the store has them. A file must be unchanged,
// have the events of one partner only, and be readable only by its owner.
func (j *rowChecker) partners(ctx context.Context) error {
	if j.Store == nil || filepath.Clean(j.Store.SnapshotDir(j.manifest.ID)) != filepath.Clean(j.dir) {
		return nil
	}
	list, err := store.PartnerFiles(j.dir, j.manifest)
	if err != nil && !errors.Is(err, store.ErrNoPartnerFiles) {
		j.fault("partners", store.PartnersDirName, WholeFile, "%v", err)
	}
	events, _ := snapshots.FindTable("events")
	for _, f := range list {
		a := rowFile{snapshots.Table{Name: "partners", Columns: events.Columns},
			path.Join(store.PartnersDirName, f.File), f.Path}
		switch open, err := store.AccessibleToOthers(f.Path); {
		case err != nil:
			j.fault("partners", a.file, WholeFile, "its permissions cannot be read: %v", err)
		case open:
			j.fault("partners", a.file, WholeFile, "users other than its owner may read it")
		}
		j.views[a.Name] = false
		if err := j.duckdb.SetVariable(ctx, "partner", f.Partner); err != nil {
			return err
		}
		if _, err := j.createView(ctx, a); err != nil {
			return err
		}
		if !j.views[a.Name] {
			j.fault("partners", a.file, WholeFile, "cannot be read, or has other columns than events")
			continue
		}
		if err := j.runQueries(ctx, a); err != nil {
			return err
		}
	}
	return nil
}
