// Package cells turns staged rows into counts per cell. Its results contain no single adverts or
// people. Each query is one SELECT in a file under sql/, in SQL that both DuckDB and Apache Spark
// accept; package engine runs it on one of them.
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
	"labour/pipeline/staging"
	"labour/snapshots"
)

//go:embed sql/*.sql
var questions embed.FS

// Cells runs the queries over the staged files of one run.
type Cells struct {
	local  *engine.DuckDB
	engine engine.Engine     // local, or a cluster
	files  map[string]string // staged rows and inputs, by name
	kept   map[string]bool   // tables materialised for single queries, by name
}

// Open writes the inputs to the staged files of dir and opens both for queries. If cluster is not
// nil, the queries run there and not on this machine. Close also closes the cluster, as does Open
// when it fails.
func Open(ctx context.Context, dir string, in Inputs, limits engine.Limits,
	cluster engine.Engine) (_ *Cells, err error) {
	c := &Cells{engine: cluster, kept: map[string]bool{}}
	if c.local, err = engine.OpenDuckDB(ctx, limits); err == nil {
		if cluster == nil {
			c.engine = c.local
		}
		err = c.local.SetDay(ctx, in.AsOf)
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

// prepared lists the views and tables that the queries read, in the order in which they depend on
// each other.
var prepared = []struct {
	name string
	kept bool // materialised
}{
	{"advert_place", true}, {"vacancy_facts", false}, {"vacancy", true}, {"site", true}, {"profile", true},
	{"vacancy_site", true},
	{"vacancy_area", false}, {"vacancy_cell", true}, {"advert_skill", false}, {"widened", false},
	{"applied_vacancy", false},
	{"applied_site", false}, {"applied", false}, {"applicant", false},
}

// readBy lists the tables that only a few queries read. They are materialised for the first of
// these queries.
var readBy = map[Query][]string{People: {"event"}, Lists: {"combination", "matched", "list"},
	Rankings: {"combination", "matched", "list"}}

// prepare creates the views and tables that the queries read. Tables that several queries read are
// materialised.
func (c *Cells) prepare(ctx context.Context, e engine.Engine,
	keep func(ctx context.Context, name, query string) error) error {
	for name, file := range c.files {
		if err := e.Read(ctx, name, file); err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
	}
	for _, p := range prepared {
		text, err := queryText(p.name)
		if err != nil {
			return err
		}
		put := e.CreateView
		if p.kept {
			put = keep
		}
		if err := put(ctx, p.name, text); err != nil {
			return fmt.Errorf("prepare %s: %w", p.name, err)
		}
	}
	return nil
}

// Query is a query: the name of a SELECT in the sql directory.
type Query string

// The queries whose results are written to files.
const (
	Adverts       Query = "adverts"
	AdvertsTotal  Query = "adverts_total"
	CourseDemand  Query = "course_demand"
	Jobs          Query = "jobs"
	Applicants    Query = "applicants"     // people who may count
	Held          Query = "held"           // skills of residents
	People        Query = "people"         // people who count, by skill
	Asked         Query = "asked"          // combinations of filters in which a skill is required
	Askable       Query = "askable"        // filters that match enough adverts
	CourseFigures Query = "course_figures" // figures on courses from evidence
	Evidence      Query = "evidence"
	SkillsGaps    Query = "skills_gaps"   // skills gaps from evidence
	Shared        Query = "shared"        // vacancies of the embargoed datasets
	SharedPlaces  Query = "shared_places" // places of those that are live
	Demand        Query = "demand"
	Trends        Query = "trends"
	Reach         Query = "reach"
	Outlook       Query = "outlook"

	SkillLevels     Query = "skill_levels"      // the level most often required, by skill
	Lists           Query = "lists"             // published combinations of filters
	Rankings        Query = "rankings"          // adverts that require each skill, by list
	RankingsBySkill Query = "rankings_by_skill" // rankings in the order of skills
)

// runsLocally reports whether a query runs on this machine, because it reads results of other
// queries or files added by AddView: the embargoed datasets, figures from evidence, and rankings in
// another order.
func runsLocally(q Query) bool {
	return slices.Contains([]Query{Demand, Trends, Reach, Outlook, Evidence, SkillsGaps, RankingsBySkill}, q)
}

// order gives the sort order of a result by its own columns, for queries that sort by columns that
// are not in the result.
var order = map[Query]string{
	Adverts:      "area_kind, place, skill, level, sector, soc, source, month",
	AdvertsTotal: "area_kind, place, sector, soc, source, month",
}

// inOrder begins the last line of a query.
const inOrder = "\nORDER BY"

// qualifier matches the table name of a column.
var qualifier = regexp.MustCompile(`\b[a-z]\.`)

// Write runs q and writes its result to a Parquet file, in q's order. Queries on this machine can
// read the file under q's name.
func (c *Cells) Write(ctx context.Context, q Query, file string) error {
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

// materialiseFor materialises the tables that only q and a few other queries read, unless this was
// done before.
func (c *Cells) materialiseFor(ctx context.Context, e engine.Engine, q Query) error {
	for _, name := range readBy[q] {
		if e == c.engine && c.kept[name] {
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
			c.kept[name] = true
		}
	}
	return nil
}

// AddView makes a Parquet file available under that name to queries that run on this machine.
func (c *Cells) AddView(ctx context.Context, name, file string) error {
	if err := c.local.Read(ctx, name, file); err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	return nil
}

// writeSorted sorts the output of a cluster on this machine, since the order of its files is not
// defined. Some clusters write no file if there are no rows. That looks the same as lost files, so
// the query then runs on this machine.
func (c *Cells) writeSorted(ctx context.Context, q Query, text, file string) (err error) {
	at := strings.LastIndex(text, inOrder)
	by := order[q]
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
	return c.local.Sort(ctx, filepath.Join(unsorted, "*.parquet"), file, by)
}

// Sort writes the rows of a Parquet file in the order of the columns. The columns come from the
// schemas of the tables, never from data.
func (c *Cells) Sort(ctx context.Context, from, to string, columns []string) error {
	if err := c.local.Sort(ctx, from, to, `"`+strings.Join(columns, `", "`)+`"`); err != nil {
		return fmt.Errorf("sort %s: %w", filepath.Base(from), err)
	}
	return nil
}

// queryText returns the text of a file of the sql directory.
func queryText(name string) (string, error) {
	b, err := questions.ReadFile("sql/" + name + ".sql")
	if err != nil {
		return "", fmt.Errorf("no question %q: %w", name, err)
	}
	return strings.TrimSpace(string(b)), nil
}

// Close closes the engine and frees its memory.
func (c *Cells) Close() error {
	var err error
	if c.engine != nil && c.engine != c.local {
		err = c.engine.Close()
	}
	if c.local != nil {
		err = errors.Join(err, c.local.Close())
	}
	return err
}

// Inputs holds what the queries need in addition to the staged rows.
type Inputs struct {
	AsOf       time.Time
	PeopleFrom time.Time             // the first day of the twelve months of the figures of people
	PeopleTo   time.Time             // the last day of them
	Boroughs   []snapshots.PlacesRow // served boroughs, with the codes of their councils
	Members    []snapshots.PlaceMembersRow
	Skills     []Skill // sorted by slug; staged rows have the index in it, from 0
	Sources    []snapshots.SourcesRow
}

// Skill is a skill of the register.
type Skill struct {
	Slug  string
	Level int8 // level of an advert that states none
}

type skill struct {
	Number int16  `col:"number"`
	Skill  string `col:"skill"`
	Level  int8   `col:"level"`
}

// runRow is a table of one row with the parameters of the run. Months are counted from the year 0.
type runRow struct {
	AsOf       time.Time `col:"as_of"`
	Month      int32     `col:"month"`       // month of as_of
	Recent     time.Time `col:"recent"`      // first day of the 24 months up to as_of
	PeopleFrom time.Time `col:"people_from"` // first day of the figures of people
	PeopleTo   time.Time `col:"people_to"`   // last day of the figures of people
}

func (in *Inputs) run() runRow {
	months := func(t time.Time) int32 { return int32(12*t.Year() + int(t.Month())) }
	recent := time.Date(in.AsOf.Year(), in.AsOf.Month()-23, 1, 0, 0, 0, 0, time.UTC)
	return runRow{AsOf: in.AsOf, Month: months(in.AsOf), Recent: recent, PeopleFrom: in.PeopleFrom, PeopleTo: in.PeopleTo}
}

// writeTo writes the inputs to files next to the staged ones in dir, and returns the paths of both
// by table name. It leaves out events, since no query reads them.
func (in *Inputs) writeTo(dir string) (map[string]string, error) {
	staged, err := fs.Glob(os.DirFS(dir), "*.parquet")
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	for _, name := range staged {
		if name != "events.parquet" {
			files["staged_"+strings.TrimSuffix(name, ".parquet")] = filepath.Join(dir, name)
		}
	}
	skills := make([]skill, len(in.Skills))
	for number, s := range in.Skills {
		skills[number] = skill{int16(number), s.Slug, s.Level}
	}
	if err := errors.Join(write(files, dir, "run", []runRow{in.run()}), write(files, dir, "borough", in.Boroughs),
		write(files, dir, "member", in.Members),
		write(files, dir, "skill", skills), write(files, dir, "source", in.Sources)); err != nil {
		return nil, fmt.Errorf("write the inputs of the questions: %w", err)
	}
	return files, nil
}

func write[T any](files map[string]string, dir, name string, rows []T) (err error) {
	files[name], err = staging.WriteRows(dir, "input_"+name, rows)
	return err
}
