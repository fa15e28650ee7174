// Package cells turns staged rows into counts per cell, with DuckDB. Here an
// advert and a person stop being one. Each question is one file under sql/; the
// run's arguments are bound, and the files use a portable subset over Parquet.
package cells

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	_ "github.com/marcboeker/go-duckdb/v2" // the database/sql driver "duckdb"

	"labour/pipeline/staging"
)

//go:embed sql/*.sql
var questions embed.FS

// Limits bound what the engine takes of the machine; it spills to disk beyond.
type Limits struct {
	MemoryMB int    // 0 = 2048
	Threads  int    // 0 = every core
	TempDir  string // for spilling; inside the protected zone
}

// Inputs are what one run knows beside the staged rows.
type Inputs struct {
	AsOf       time.Time
	PeopleAsOf time.Time // the quarter end which the counts of people describe
	Boroughs   []Borough
	Members    []Member
	Skills     []Skill // in the order of their slugs; staged rows say the place in it, from 0
	Sources    []Source
}

// Source is what evidence says of where a figure comes from.
type Source struct{ Key, Licence, Link string }

// Borough is a served borough and the code of its council.
type Borough struct{ Place, Code string }

// Member says that a borough is part of a served area.
type Member struct{ Area, Borough string }

// Skill is a skill with the level against which residents are judged.
type Skill struct {
	Skill          string
	ReferenceLevel int
}

// Engine counts cells over one stage.
type Engine struct {
	db       *sql.DB
	partRows int64
}

// Open starts an engine over the staged files of dir.
func Open(ctx context.Context, dir string, in Inputs, limits Limits) (e *Engine, err error) {
	db, err := sql.Open("duckdb", "")
	if err != nil {
		return nil, fmt.Errorf("open DuckDB: %w", err)
	}
	db.SetMaxOpenConns(1) // one session: its tables are its own
	opened := &Engine{db: db, partRows: partRows}
	e = opened
	defer func() {
		if err != nil {
			err = errors.Join(err, opened.Close())
		}
	}()
	if err := e.limit(ctx, limits); err != nil {
		return nil, err
	}
	for _, name := range staging.Names() {
		file := filepath.Join(dir, name+".parquet")
		if _, err := db.ExecContext(ctx, "CREATE VIEW staged_"+name+" AS FROM read_parquet("+literal(file)+")"); err != nil {
			return nil, fmt.Errorf("open staged %s: %w", name, err)
		}
	}
	if err := e.run(ctx, "setup"); err != nil {
		return nil, err
	}
	if err := e.load(ctx, in); err != nil {
		return nil, err
	}
	return e, e.run(ctx, "prepare")
}

func (e *Engine) limit(ctx context.Context, l Limits) error {
	if l.MemoryMB == 0 {
		l.MemoryMB = 2048
	}
	settings := []string{fmt.Sprintf("SET memory_limit = '%dMB'", l.MemoryMB), "SET preserve_insertion_order = true"}
	if l.Threads > 0 {
		settings = append(settings, fmt.Sprintf("SET threads = %d", l.Threads))
	}
	if l.TempDir != "" {
		settings = append(settings, "SET temp_directory = "+literal(l.TempDir))
	}
	for _, s := range settings {
		if _, err := e.db.ExecContext(ctx, s); err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
	}
	return nil
}

func (e *Engine) load(ctx context.Context, in Inputs) error {
	tx, err := e.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("load the run's arguments: %w", err)
	}
	defer tx.Rollback() // no effect after Commit
	insert := func(query string, args ...any) {
		if err == nil {
			_, err = tx.ExecContext(ctx, query, args...)
		}
	}
	insert("INSERT INTO run VALUES (?, ?)", in.AsOf, in.PeopleAsOf)
	for _, b := range in.Boroughs {
		insert("INSERT INTO borough VALUES (?, ?)", b.Place, b.Code)
	}
	for _, m := range in.Members {
		insert("INSERT INTO member VALUES (?, ?)", m.Area, m.Borough)
	}
	for number, s := range in.Skills {
		insert("INSERT INTO skill VALUES (?, ?, ?)", number, s.Skill, s.ReferenceLevel)
	}
	for _, s := range in.Sources {
		insert("INSERT INTO source VALUES (?, ?, ?)", s.Key, s.Licence, s.Link)
	}
	if err != nil {
		return fmt.Errorf("load the run's arguments: %w", err)
	}
	return tx.Commit()
}

// Question names a SELECT of the sql directory.
type Question string

// The questions whose answers are written to files.
const (
	Adverts      Question = "adverts" // as numbers, which AdvertNames makes the table of
	AdvertsTotal Question = "adverts_total"
	Residents    Question = "residents"
	CourseDemand Question = "course_demand"
	Evidence     Question = "evidence"
	Jobs         Question = "jobs"
	Candidates   Question = "candidates"
	Shared       Question = "shared"        // vacancies of the held datasets
	SharedPlaces Question = "shared_places" // where the live ones of them are
	// PublicOrder reads the table adverts, see Show, and the answer of AdvertsTotal.
	PublicOrder Question = "public_order"
)

// Write asks q and writes its answer to a Parquet file, in q's order. Later questions
// read the file under q's name.
func (e *Engine) Write(ctx context.Context, q Question, file string) error {
	text, err := question(string(q))
	if err != nil {
		return err
	}
	if _, err := e.db.ExecContext(ctx, "COPY ("+text+") TO "+literal(file)+unpacked); err != nil {
		return fmt.Errorf("count %s: %w", q, err)
	}
	return e.Show(ctx, string(q), file)
}

// Show lets later questions read a Parquet file under that name.
func (e *Engine) Show(ctx context.Context, name, file string) error {
	if _, err := e.db.ExecContext(ctx, "CREATE OR REPLACE VIEW "+name+" AS FROM read_parquet("+literal(file)+")"); err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	return nil
}

// Sort writes the rows of a Parquet file in the order of the columns. The columns
// come from the schemas of the tables, never from data.
func (e *Engine) Sort(ctx context.Context, from, to string, columns []string) error {
	quoted := make([]string, len(columns))
	for i, c := range columns {
		quoted[i] = `"` + strings.ReplaceAll(c, `"`, `""`) + `"`
	}
	query := "COPY (FROM read_parquet(" + literal(from) + ") ORDER BY " + strings.Join(quoted, ", ") + ") TO " + literal(to) + unpacked
	if _, err := e.db.ExecContext(ctx, query); err != nil {
		return fmt.Errorf("sort %s: %w", filepath.Base(from), err)
	}
	return nil
}

// run executes the statements of one file.
func (e *Engine) run(ctx context.Context, name string) error {
	text, err := question(name)
	if err != nil {
		return err
	}
	if _, err := e.db.ExecContext(ctx, text); err != nil {
		return fmt.Errorf("%s.sql: %w", name, err)
	}
	return nil
}

func question(name string) (string, error) {
	b, err := questions.ReadFile("sql/" + name + ".sql")
	if err != nil {
		return "", fmt.Errorf("no question %q: %w", name, err)
	}
	return strings.TrimSpace(string(b)), nil
}

// literal quotes a path of ours for the statements in which DuckDB takes no
// argument (COPY, CREATE VIEW, SET).
func literal(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// Close ends the engine and frees its memory.
func (e *Engine) Close() error { return e.db.Close() }
