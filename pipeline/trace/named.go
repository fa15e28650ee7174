package trace

import (
	"context"
	_ "embed"
	"errors"
	"os"
	"slices"
	"strings"

	"labour/pipeline/cells/engine"
	"labour/snapshots"
)

//go:embed sql/rows.sql
var rowsSQL string

// rows returns how many rows a file has, and the sources that they name.
func rows(ctx context.Context, path string, t snapshots.Table) (n int64, named []string, err error) {
	if _, err := os.Stat(path); err != nil {
		return 0, nil, err
	}
	duckdb, err := engine.OpenDuckDB(ctx, engine.Limits{})
	if err != nil {
		return 0, nil, err
	}
	defer func() { err = errors.Join(err, duckdb.Close()) }()
	if err := duckdb.Number(ctx, t.Name, path, false); err != nil {
		return 0, nil, err
	}
	question := strings.NewReplacer("{table}", t.Name, "{sources}", strings.Join(naming(t), ", ")).Replace(rowsSQL)
	var keys string
	if err := duckdb.One(ctx, question, &n, &keys); err != nil {
		return 0, nil, err
	}
	return n, strings.FieldsFunc(keys, func(r rune) bool { return r == ',' }), nil
}

// naming lists the columns of a table that name sources; an empty text where it has none.
func naming(t snapshots.Table) []string {
	if t.Name == "sources" {
		return []string{"key"}
	}
	columns := slices.DeleteFunc(snapshots.SourceColumns(), func(name string) bool {
		_, there := t.Column(name)
		return !there
	})
	if len(columns) == 0 {
		return []string{"''"}
	}
	return columns
}
