package verify

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
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
	"labour/snapshots/periods"
	"labour/snapshots/store"
	"labour/snapshots/threads"
)

// setupSQL is the SQL that defines the macros of the queries that find faults.
//
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

// prepare loads the SQL queries, sets their variables and defines their macros.
func (j *rowChecker) prepare(ctx context.Context) (err error) {
	if j.queries, err = faultQueries(); err != nil {
		return err
	}
	if err := j.prepareVariables(ctx); err != nil {
		return err
	}
	rows, err := j.duckdb.Query(ctx, setupSQL)
	if err != nil {
		return err
	}
	return rows.Close()
}

// prepareVariables sets the variables of the queries, such as as_of.
func (j *rowChecker) prepareVariables(ctx context.Context) error {
	var names, counts, open []string
	for _, h := range j.manifest.Embargoed {
		if h.Open {
			open = append(open, h.Name)
		}
	}
	for _, t := range slices.Concat(snapshots.Tables(), snapshots.EmbargoedTables()) {
		names = append(names, t.Name)
		for _, c := range t.PeopleColumns() {
			counts = append(counts, t.Name+"."+c.Value)
		}
	}
	var withdrawn []string
	for _, w := range j.manifest.PeopleWithdrawn {
		withdrawn = append(withdrawn, cmp.Or(w.Skill, "*"))
	}
	peopleAsOf := j.manifest.AsOf
	if j.manifest.PeopleAsOf != nil {
		peopleAsOf = *j.manifest.PeopleAsOf
	}
	windows := strings.Trim(fmt.Sprint(periods.Windows()), "[]")
	for variable, text := range map[string]string{"as_of": j.manifest.AsOf.String(),
		"people_as_of":  peopleAsOf.String(),
		"people_tables": strings.Join(snapshots.PeopleTables(), ","), "platform": j.manifest.PlatformName,
		"tables": strings.Join(names, ","), "counts": strings.Join(counts, ","),
		"open": strings.Join(open, ","), "withdrawn": strings.Join(withdrawn, ","), "windows": windows} {
		if err := j.duckdb.SetVariable(ctx, variable, text); err != nil {
			return err
		}
	}
	return nil
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
				strings.Join(a.SortColumns, ", "), "{words}", statedWords[a.Name+"."+column]).Replace(q.text)
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

var readTables = regexp.MustCompile(`(?:FROM|JOIN) ([a-z0-9_]+)`)

// canRun reports whether all tables that a query reads have a DuckDB view.
func (j *rowChecker) canRun(text string) bool {
	return !slices.ContainsFunc(readTables.FindAllStringSubmatch(text, -1), func(table []string) bool {
		_, isTable := j.schema(table[1])
		return isTable && !j.views[table[1]]
	})
}

// runQuery runs an SQL query on a file, and records each fault that the query finds. check is the
// name of the check, and text is the query.
func (j *rowChecker) runQuery(ctx context.Context, check, file, text string) error {
	rows, err := j.duckdb.Query(ctx, strings.Replace(faultsSQL, "{query}", text, 1))
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
	err = j.duckdb.QueryRow(ctx, strings.Replace(manySQL, "{query}", text, 1), &all)
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

// partners checks the files of partners' events, if the store has them. Either all of these files
// or none must exist. A file must be unchanged, have the events of one partner only, and be
// readable only by its owner.
func (j *rowChecker) partners(ctx context.Context) error {
	if j.Store == nil || filepath.Clean(j.Store.SnapshotDir(j.manifest.ID)) != filepath.Clean(j.dir) {
		return nil
	}
	list, err := store.PartnerFiles(j.dir, j.manifest)
	switch missing := j.missingPartnerFile(err); {
	case missing != "":
		j.fault("partners", path.Join(store.PartnersDirName, missing), WholeFile,
			"is missing, and other files of partners' events are there")
	case err != nil && !errors.Is(err, store.ErrNoPartnerFiles):
		j.fault("partners", store.PartnersDirName, WholeFile, "%v", err)
	}
	for _, f := range list {
		if err := j.partnerFile(ctx, f); err != nil {
			return err
		}
	}
	return nil
}

// missingPartnerFile returns the name of a missing file of partners' events. err is the error of
// opening these files. The result is "" if err has another cause, or if the folder of these files
// is missing too: a pulled snapshot has no such folder.
func (j *rowChecker) missingPartnerFile(err error) string {
	var missing *fs.PathError
	if !errors.As(err, &missing) || !errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	if _, err := os.Stat(filepath.Dir(missing.Path)); err != nil {
		return ""
	}
	return filepath.Base(missing.Path)
}

// partnerFile checks f, the file with the events of one partner, and its rows.
func (j *rowChecker) partnerFile(ctx context.Context, f store.PartnerFile) error {
	events, _ := snapshots.FindTable("events")
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
		return nil
	}
	return j.runQueries(ctx, a)
}
