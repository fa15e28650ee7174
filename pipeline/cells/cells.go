// Package cells runs the SQL queries that count adverts and people. A cell is a combination of
// filters, and most results are counts per cell. The queries leave out combinations with fewer than
// 5 adverts or 3 employers. Each query is a SELECT statement in a file under sql/. It is valid in
// both DuckDB and Apache Spark, and package engine runs it on one of them.
package cells

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"labour/pipeline/cells/engine"
	"labour/pipeline/cells/engine/duckdb"
)

// queryFiles holds the embedded SQL files of the queries, sql/*.sql.
//
//go:embed sql/*.sql
var queryFiles embed.FS

// QueryRunner runs the SQL queries that count adverts and people. They read files that a run has
// staged, such as the file of coded adverts.
type QueryRunner struct {
	local  *duckdb.Database
	engine engine.Engine // runs the queries: DuckDB on this machine, or a Spark cluster
	// paths of the Parquet files with staged rows and inputs, by table name
	files map[string]string
	// names of the tables that were created because a query needed them
	queryTables map[string]bool
}

// OpenQueryRunner returns a QueryRunner for the Parquet files that a run has staged in dir. It also
// writes the tables of in to dir. limits are those of DuckDB. If cluster is not nil, most queries
// run on the cluster, and the caller's Close closes it too. If OpenQueryRunner fails, it has closed
// the cluster.
func OpenQueryRunner(ctx context.Context, dir string, in QueryInputs, limits engine.Limits,
	cluster engine.Engine) (_ *QueryRunner, err error) {
	c := &QueryRunner{engine: cluster, queryTables: map[string]bool{}}
	if c.local, err = openLocal(ctx, limits, in.AsOf); err == nil {
		if cluster == nil {
			c.engine = c.local
		} else {
			err = createFloor(ctx, cluster)
		}
	}
	if err == nil {
		c.files, err = in.writeTo(dir)
	}
	if err == nil {
		err = c.prepare(ctx, c.engine, c.engine.Materialise)
	}
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// openLocal opens DuckDB on this machine. It sets the variable as_of to the snapshot's date, and
// creates the view floor. Queries read both.
func openLocal(ctx context.Context, limits engine.Limits, asOf time.Time) (*duckdb.Database, error) {
	local, err := duckdb.Open(ctx, limits)
	if err == nil {
		err = errors.Join(local.SetAsOf(ctx, asOf), createFloor(ctx, local))
	}
	return local, err
}

// createFloor creates the SQL view floor. The view has the smallest numbers of adverts and of
// employers on which a published figure may be based.
func createFloor(ctx context.Context, e engine.Engine) error {
	text, err := queryText("floor")
	if err == nil {
		err = e.CreateView(ctx, "floor", text)
	}
	if err != nil {
		return fmt.Errorf("prepare the floor of adverts and employers: %w", err)
	}
	return nil
}

// sharedTables lists the SQL views and tables that every run creates before its queries. Each of
// them reads only tables that are listed before it.
var sharedTables = []struct {
	name string
	kept bool // materialised
}{
	{"advert_place", true}, {"admitted_advert", true}, {"counted_advert", false}, {"advert_month", true},
	{"vacancy", true},
	{"site", true}, {"profile", true},
	{"vacancy_site", true},
	{"vacancy_area", false}, {"vacancy_cell", true}, {"advert_skill", false}, {"profile_filter", false},
	{"applied_as", false}, {"applied_vacancy", false},
	{"applied_site", false}, {"applied_advert", false}, {"applicant", false},
}

// readBy maps some queries to the tables that only these queries read. Such a table is created when
// the first of its queries runs.
var readBy = map[QueryName][]string{
	QueryDecidedApplicants:          {"event"},
	QueryFilterCombinations:         {"combination", "source_number", "profile_combination", "list"},
	QuerySkillRankings:              {"combination", "source_number", "profile_combination", "list", "ranking"},
	QuerySkillRankingsSortedBySkill: {"combination", "source_number", "profile_combination", "list", "ranking"},
}

// prepare opens the staged files in the engine e, and creates the views and tables that every run
// needs. It calls store for each of sharedTables that is kept. store is e.Materialise, which stores
// the rows, or e.CreateView, which does not.
func (c *QueryRunner) prepare(ctx context.Context, e engine.Engine,
	store func(ctx context.Context, name, query string) error) error {
	for name, file := range c.files {
		if err := e.Read(ctx, name, file); err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
	}
	for _, p := range sharedTables {
		text, err := queryText(p.name)
		if err != nil {
			return err
		}
		put := e.CreateView
		if p.kept {
			put = store
		}
		if err := put(ctx, p.name, text); err != nil {
			return fmt.Errorf("prepare %s: %w", p.name, err)
		}
	}
	return nil
}

// QueryName is the name of a query. Its SQL text is in the file sql/NAME.sql.
type QueryName string

// The queries whose results are written to files.
const (
	// QueryAdverts counts the adverts that require each skill, by cell (combination of filters).
	QueryAdverts QueryName = "adverts"
	// QueryAdvertsTotal counts all adverts, by cell (combination of filters).
	QueryAdvertsTotal QueryName = "adverts_total"
	// QueryCourseDemand selects published figures on courses, each with the figure one year
	// earlier.
	QueryCourseDemand QueryName = "course_demand"
	// QueryJobs selects the live adverts that may be published, one per vacancy.
	QueryJobs QueryName = "jobs"
	// QueryResidentsAndApplicants selects all residents and all other applicants. Each has a
	// pseudonym. The rows are never published.
	QueryResidentsAndApplicants QueryName = "applicants"
	// QueryResidentSkills selects the skills of each resident who is registered with the platform.
	// The rows are never published.
	QueryResidentSkills QueryName = "resident_skills"
	// QueryDecidedApplicants selects, for each skill, the applicants who were hired or turned down.
	// The rows are never published.
	QueryDecidedApplicants QueryName = "people"
	// QueryRequiredCombinations selects the combinations of a skill and filters that occur in
	// adverts of the last 24 months. Counts of people are made only for these.
	QueryRequiredCombinations QueryName = "required_combinations"
	// QueryAnswerableFilters selects the combinations of filters that match enough adverts for
	// counts of people to be published.
	QueryAnswerableFilters QueryName = "answerable_filters"
	// QueryCourseFigures selects the published figures on courses, without duplicates.
	QueryCourseFigures QueryName = "course_figures"
	// QueryEvidence selects other publishers' statements and statistics on skills ("evidence").
	QueryEvidence QueryName = "evidence"
	// QuerySkillsGaps selects the projections of skills gaps. Each row has the number of sources
	// that point to a gap for the occupation.
	QuerySkillsGaps QueryName = "skills_gaps"
	// QueryShareableVacancies selects the vacancies that may be counted in embargoed datasets, however
	// long ago they were posted.
	QueryShareableVacancies QueryName = "shareable_vacancies"
	// QueryShareablePlaces selects the places of work of live vacancies that embargoed datasets may
	// count. Each place is a point or a council.
	QueryShareablePlaces QueryName = "shareable_places"
	// QueryDemand counts live vacancies by day and SOC 2020 unit group.
	QueryDemand QueryName = "demand"
	// QueryTrends compares each occupation's number of new vacancies with the number one year
	// earlier. It leaves out occupations with too few vacancies to be published.
	QueryTrends QueryName = "trends"
	// QueryWorkplaces selects the places of work of live vacancies. The dataset reach counts the
	// vacancies near each ward from them.
	QueryWorkplaces QueryName = "workplaces"
	// QueryVacanciesNearWards selects the counts of live vacancies within 5, 10 and 20 km of a
	// ward. It leaves out counts that are too small to be published.
	QueryVacanciesNearWards QueryName = "reach"
	// QueryOutlook averages the sources' projections of skills gaps, by occupation and by number of
	// months ahead.
	QueryOutlook QueryName = "outlook"
	// QuerySkillLevels selects the level, 1 to 5, that adverts most often require for each skill.
	QuerySkillLevels QueryName = "skill_levels"
	// QueryFilterCombinations selects the combinations of filters that are published. They are the
	// rows of the table `lists`.
	QueryFilterCombinations QueryName = "lists"
	// QuerySkillRankings counts the adverts that require each skill, for each combination of
	// filters in the table `lists`.
	QuerySkillRankings QueryName = "rankings"
	// QuerySkillRankingsSortedBySkill has the same rows as QuerySkillRankings, sorted by skill.
	QuerySkillRankingsSortedBySkill QueryName = "rankings_by_skill"
)

// runsLocally reports whether a query runs on this machine even if there is a cluster. Such a query
// reads results of other queries, or files added by AddView.
func runsLocally(q QueryName) bool {
	return slices.Contains([]QueryName{QueryDemand, QueryTrends, QueryWorkplaces, QueryVacanciesNearWards, QueryOutlook,
		QueryEvidence, QuerySkillsGaps}, q)
}

// sortColumns holds the columns by which writeSorted sorts the result of a query. It has only the
// queries whose ORDER BY clause uses expressions that are not columns of the result. For any other
// query, writeSorted uses the columns of the ORDER BY clause.
var sortColumns = map[QueryName]string{
	QueryAdverts:      "area_kind, place, skill, level, sector, soc, source, month",
	QueryAdvertsTotal: "area_kind, place, sector, soc, source, month",
}

// inOrder is the start of the ORDER BY clause, which is the last line of a query with a sorted
// result.
const inOrder = "\nORDER BY"

// qualifier matches the table alias before a column name: one letter and a dot, as in "v.soc".
var qualifier = regexp.MustCompile(`\b[a-z]\.`)

// WriteResult runs query q and writes its sorted result to a Parquet file. Later queries on this
// machine can read the file as a view named q.
func (c *QueryRunner) WriteResult(ctx context.Context, q QueryName, file string) error {
	text, err := queryText(string(q))
	if err != nil {
		return err
	}
	if err = c.materialiseFor(ctx, c.engine, q); err == nil {
		if c.engine == c.local || runsLocally(q) {
			err = c.local.Write(ctx, text, file)
		} else {
			err = c.writeSorted(ctx, q, text, file)
		}
	}
	if err != nil {
		return fmt.Errorf("count %s: %w", q, err)
	}
	return c.AddView(ctx, string(q), file)
}

// materialiseFor creates the tables that readBy lists for the query q, unless they exist already.
func (c *QueryRunner) materialiseFor(ctx context.Context, e engine.Engine, q QueryName) error {
	for _, name := range readBy[q] {
		if e == c.engine && c.queryTables[name] {
			continue
		}
		text, err := queryText(name)
		if err == nil {
			err = e.Materialise(ctx, name, text)
		}
		if err != nil {
			return err
		}
		if e == c.engine {
			c.queryTables[name] = true
		}
	}
	return nil
}

// AddView makes the rows of a Parquet file available as a view with the given name. Only queries
// that run on this machine can read it.
func (c *QueryRunner) AddView(ctx context.Context, name, file string) error {
	if err := c.local.Read(ctx, name, file); err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	return nil
}

// writeSorted runs the query q, with the SQL text text, on the cluster. It sorts the result on this
// machine and writes it to a file. If the cluster returns no files, they may have been lost, so the
// query runs again on this machine.
func (c *QueryRunner) writeSorted(ctx context.Context, q QueryName, text, file string) (err error) {
	at := strings.LastIndex(text, inOrder)
	by := sortColumns[q]
	if by == "" {
		by = qualifier.ReplaceAllString(text[at+len(inOrder):], "")
	}
	unsorted := file + ".unsorted"
	defer func() { err = errors.Join(err, os.RemoveAll(unsorted)) }()
	if err := c.engine.Write(ctx, text[:at], unsorted); err != nil {
		return err
	}
	files, err := fs.Glob(os.DirFS(unsorted), "*.parquet")
	if err == nil && len(files) == 0 {
		if err = errors.Join(c.prepare(ctx, c.local, c.local.CreateView), c.materialiseFor(ctx, c.local, q)); err == nil {
			err = c.local.Write(ctx, text[:at], filepath.Join(unsorted, "here.parquet"))
		}
	}
	if err != nil {
		return err
	}
	return c.local.SortFiles(ctx, filepath.Join(unsorted, "*.parquet"), file, by)
}

// SortFile sorts a Parquet file by the given columns, and writes the result to another Parquet
// file.
func (c *QueryRunner) SortFile(ctx context.Context, from, to string, columns []string) error {
	if err := c.local.SortFiles(ctx, from, to, `"`+strings.Join(columns, `", "`)+`"`); err != nil {
		return fmt.Errorf("sort %s: %w", filepath.Base(from), err)
	}
	return nil
}

// queryText returns the SQL text of the query in the file sql/NAME.sql.
func queryText(name string) (string, error) {
	b, err := queryFiles.ReadFile("sql/" + name + ".sql")
	if err != nil {
		return "", fmt.Errorf("no query %q: %w", name, err)
	}
	return strings.TrimSpace(string(b)), nil
}

// Close closes the database on this machine, and the connection to the cluster if there is one.
func (c *QueryRunner) Close() error {
	var err error
	if c.engine != nil && c.engine != c.local {
		err = c.engine.Close()
	}
	if c.local != nil {
		err = errors.Join(err, c.local.Close())
	}
	return err
}
