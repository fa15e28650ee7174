// Package bench does with DuckDB alone what the pipeline does without its rules: it
// reads the platform's feed, the boards and the vacancies, and groups them by the same
// columns and places. It knows no duplicates, recognises no skill in a text and codes no
// title. It is what the pipeline's time is held against; nothing of it is published.
package bench

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	_ "github.com/marcboeker/go-duckdb/v2" // the driver "duckdb"
)

//go:embed sql/*.sql
var questions embed.FS

// Options bound what DuckDB takes of the machine.
type Options struct {
	Feed string // directory of the platform's feed
	// Answers are the files that other publishers answered, by the question that reads
	// them: greenhouse and vacancies. One without files is not asked.
	Answers map[string][]string
	// Members are the boroughs of each served area.
	Members  []Member
	Out      string // directory for the answers and for spilling; it must exist
	People   bool   // ask of residents and outcomes too
	MemoryMB int
	AsOf     time.Time
	// Step is told of each question as it begins.
	Step func(name string)
}

// Member says that a borough is part of a served area.
type Member struct{ Area, Borough string }

// steps are the questions, in the order in which they are asked. Each is a file under sql; a reading keeps its
// table for the others. People are read in any case, as the pipeline does.
func (o *Options) steps() []string {
	all := []string{"read_boroughs", "read_adverts", "read_greenhouse", "read_vacancies",
		"read_residents", "read_applications", "adverts", "adverts_total"}
	if o.People {
		all = append(all, "residents", "outcomes")
	}
	return all
}

// Run reads the feed and writes the answers as Parquet files.
func Run(ctx context.Context, o Options) (err error) {
	db, err := sql.Open("duckdb", "")
	if err != nil {
		return fmt.Errorf("open DuckDB: %w", err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1)
	for _, setting := range o.settings() {
		if _, err := db.ExecContext(ctx, setting); err != nil {
			return fmt.Errorf("%s: %w", setting, err)
		}
	}
	for _, m := range o.Members {
		if _, err := db.ExecContext(ctx, "INSERT INTO member VALUES (?, ?)", m.Area, m.Borough); err != nil {
			return fmt.Errorf("note the served areas: %w", err)
		}
	}
	for _, name := range o.steps() {
		if answers, ok := o.Answers[strings.TrimPrefix(name, "read_")]; ok && len(answers) == 0 {
			continue
		}
		o.Step("DuckDB alone: " + strings.ReplaceAll(name, "_", " "))
		if err := o.ask(ctx, db, name); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func (o *Options) settings() []string {
	all := []string{fmt.Sprintf("SET memory_limit = '%dMB'", o.MemoryMB), "SET temp_directory = " + literal(o.Out),
		"SET preserve_insertion_order = false", "SET VARIABLE feed = " + literal(o.Feed),
		"SET VARIABLE as_of = DATE " + literal(o.AsOf.Format(time.DateOnly)),
		"CREATE TABLE member (area VARCHAR, borough VARCHAR)"}
	for _, name := range slices.Sorted(maps.Keys(o.Answers)) {
		var files []string
		for _, f := range o.Answers[name] {
			files = append(files, literal(f))
		}
		all = append(all, "SET VARIABLE "+name+" = ["+strings.Join(files, ", ")+"]")
	}
	return all
}

// ask reads, or writes the answer of a question.
func (o *Options) ask(ctx context.Context, db *sql.DB, name string) error {
	text, err := questions.ReadFile("sql/" + name + ".sql")
	if err != nil {
		return err
	}
	statement := strings.TrimSpace(string(text))
	if !strings.HasPrefix(name, "read_") {
		statement = "COPY (" + statement + ") TO " + literal(filepath.Join(o.Out, name+".parquet")) + " (FORMAT parquet, COMPRESSION zstd)"
	}
	_, err = db.ExecContext(ctx, statement)
	return err
}

// literal quotes a path of ours for the statements in which DuckDB takes no argument.
func literal(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
