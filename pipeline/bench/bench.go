// Package bench does with DuckDB alone what the pipeline does without its rules: it
// reads the platform's feed and groups it. It is what the pipeline's time is held
// against; nothing of it is published.
package bench

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	_ "github.com/marcboeker/go-duckdb/v2" // the driver "duckdb"
)

//go:embed sql/*.sql
var questions embed.FS

// Options bound what DuckDB takes of the machine.
type Options struct {
	Feed     string // directory of the platform's feed
	Out      string // directory for the answers and for spilling; it must exist
	MemoryMB int
	AsOf     time.Time
	// Step is told of each question as it begins.
	Step func(name string)
}

// steps are the questions, in the order in which they are asked. Each is a file under sql; a reading keeps its
// table for the others.
func steps() []string {
	return []string{"read_boroughs", "read_adverts", "read_residents", "read_applications", "adverts", "adverts_total", "residents", "outcomes"}
}

// Run reads the feed and writes the answers as Parquet files.
func Run(ctx context.Context, o Options) (err error) {
	db, err := sql.Open("duckdb", "")
	if err != nil {
		return fmt.Errorf("open DuckDB: %w", err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1)
	settings := []string{fmt.Sprintf("SET memory_limit = '%dMB'", o.MemoryMB), "SET temp_directory = " + literal(o.Out),
		"SET preserve_insertion_order = false", "SET VARIABLE feed = " + literal(o.Feed),
		"SET VARIABLE as_of = DATE " + literal(o.AsOf.Format(time.DateOnly))}
	for _, s := range settings {
		if _, err := db.ExecContext(ctx, s); err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
	}
	for _, name := range steps() {
		o.Step("DuckDB alone: " + strings.ReplaceAll(name, "_", " "))
		text, err := questions.ReadFile("sql/" + name + ".sql")
		if err != nil {
			return err
		}
		statement := strings.TrimSpace(string(text))
		if !strings.HasPrefix(name, "read_") {
			statement = "COPY (" + statement + ") TO " + literal(filepath.Join(o.Out, name+".parquet")) + " (FORMAT parquet, COMPRESSION zstd)"
		}
		if _, err := db.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// literal quotes a path of ours for the statements in which DuckDB takes no argument.
func literal(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
