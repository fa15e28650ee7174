package trace

import (
	"context"
	_ "embed"
	"errors"
	"os"
	"strings"

	"labour/pipeline/cells/engine"
	"labour/pipeline/cells/engine/duckdb"
	"labour/snapshots"
)

// rowsSQL is the query that returns the number of rows of a table and the sources that they name.
//
//go:embed sql/rows.sql
var rowsSQL string

// countRows returns the number of rows in a table's file, and the keys of the sources that its rows
// name.
func countRows(ctx context.Context, path string, t snapshots.Table) (n int64, sourceKeys []string, err error) {
	if _, err := os.Stat(path); err != nil {
		return n, nil, err
	}
	db, err := duckdb.Open(ctx, engine.Limits{})
	if err != nil {
		return n, nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := db.ReadWithRowNumbers(ctx, t.Name, path, false); err != nil {
		return n, nil, err
	}
	columns := t.SourceColumns()
	if len(columns) == 0 {
		columns = []string{"''"} // no row names a source
	}
	question := strings.NewReplacer("{table}", t.Name, "{sources}", strings.Join(columns, ", ")).Replace(rowsSQL)
	var keys string
	if err := db.QueryRow(ctx, question, &n, &keys); err != nil {
		return n, nil, err
	}
	return n, strings.FieldsFunc(keys, func(r rune) bool { return r == ',' }), nil
}
