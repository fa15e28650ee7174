package query

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"path"
	"reflect"
	"regexp"
	"slices"

	"labour/serve/api"
)

// queryName is the name of a prepared database query, in the form <part>/<file>. The SQL text is in
// sql/<part>/queries/<file>.sql.
type queryName string

// part returns the name of the DuckDB file that the query reads, such as "figures".
func (q queryName) part() string { return path.Dir(string(q)) }

func (q queryName) text() string { return sqlText(q.part() + "/queries/" + path.Base(string(q))) }

var parameter = regexp.MustCompile(`\$([a-z_]+)`)

// statement is a prepared database query and the names of its parameters.
type statement struct {
	*sql.Stmt
	parameters []string
}

// prepare prepares the given database queries and returns them by name.
func prepare(ctx context.Context, db *sql.DB, list []queryName) (map[queryName]statement, error) {
	statements := make(map[queryName]statement)
	for _, q := range list {
		stmt, err := db.PrepareContext(ctx, q.text())
		if err != nil {
			return nil, fmt.Errorf("prepare query %s: %w", q, err)
		}
		statements[q] = statement{stmt, parametersOf(q.text())}
	}
	return statements, nil
}

// parametersOf returns the names of the parameters in an SQL text, such as "place" for $place. Each
// name is listed once.
func parametersOf(text string) (names []string) {
	for _, m := range parameter.FindAllStringSubmatch(text, -1) {
		if !slices.Contains(names, m[1]) {
			names = append(names, m[1])
		}
	}
	return names
}

// run runs a database query and calls scan for each row. If ctx ends first, the error wraps
// ctx.Err().
func (s *Snapshot) run(ctx context.Context, q queryName, arguments map[string]any,
	scan func(*sql.Rows) error) (err error) {
	defer func() {
		if err != nil && ctx.Err() != nil {
			err = ctx.Err()
		}
		if err != nil {
			err = fmt.Errorf("query %s: %w", q, err)
		}
	}()
	p := s.parts[q.part()]
	if p == nil {
		return fmt.Errorf("the snapshot has no part %s", q.part())
	}
	st, ok := p.statements[q]
	if !ok {
		return fmt.Errorf("no such query")
	}
	args := make([]any, len(st.parameters))
	for i, name := range st.parameters {
		value, ok := arguments[name]
		if !ok {
			return fmt.Errorf("no argument %s", name)
		}
		args[i] = sql.Named(name, value)
	}
	rows, err := st.QueryContext(ctx, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// collect runs a database query and returns its rows with their data sources. The query must have
// one column for each field of R, in order. collect returns at most limit rows; More reports
// whether there are further rows. A limit of 0 means all rows.
func collect[R any](ctx context.Context, s *Snapshot, q queryName, arguments map[string]any,
	limit int) (page api.Page[R], err error) {
	used := make(map[string]bool)
	var row R
	v := reflect.ValueOf(&row).Elem()
	fields := fieldsOf(v)
	var keys []any // keys of sources
	for _, name := range []string{"SourceKey", "SourceKeys", "PointingSources"} {
		if f, ok := v.Type().FieldByName(name); ok && len(f.Index) == 1 {
			keys = append(keys, v.FieldByIndex(f.Index).Addr().Interface())
		}
	}
	err = s.run(ctx, q, arguments, func(rows *sql.Rows) error {
		if limit > 0 && len(page.Rows) == limit {
			page.More = true
			return nil
		}
		v.SetZero()
		if err := rows.Scan(fields...); err != nil {
			return err
		}
		page.Rows = append(page.Rows, row)
		for _, k := range keys {
			switch k := k.(type) {
			case *string:
				used[*k] = true
			case *api.Keys:
				for _, key := range *k {
					used[key] = true
				}
			}
		}
		return nil
	})
	if err != nil {
		return api.Page[R]{}, err
	}
	page.Sources = s.sourcesOf(used)
	return page, nil
}

// all returns every row of a database query.
func all[R any](ctx context.Context, s *Snapshot, q queryName, arguments map[string]any) ([]R, error) {
	page, err := collect[R](ctx, s, q, arguments, 0)
	return page.Rows, err
}

// one returns the first row of a database query. If the query has no rows, it returns the zero
// value.
func one[R any](ctx context.Context, s *Snapshot, q queryName, arguments map[string]any) (row R, err error) {
	page, err := collect[R](ctx, s, q, arguments, 1)
	if len(page.Rows) > 0 {
		row = page.Rows[0]
	}
	return row, err
}

// fieldsOf returns the arguments for sql.Rows.Scan that fill the fields of a struct. A slice or a
// count is read from a column of JSON text. An inner struct has one column for each of its fields,
// unless it is a sql.Scanner.
func fieldsOf(v reflect.Value) (fields []any) {
	for i := range v.NumField() {
		to := v.Field(i).Addr().Interface()
		_, scans := to.(sql.Scanner)
		_, count := to.(*api.Count)
		switch kind := v.Field(i).Kind(); {
		case count, kind == reflect.Slice && !scans:
			fields = append(fields, fromJSON{to})
		case kind == reflect.Struct && !scans:
			fields = append(fields, fieldsOf(v.Field(i))...)
		default:
			fields = append(fields, to)
		}
	}
	return fields
}

// fromJSON is a sql.Scanner for a column of JSON text. It decodes the text into the variable that
// the field to points to.
type fromJSON struct{ to any }

// Scan decodes the JSON text of a database column. It decodes NULL as the JSON value null.
func (j fromJSON) Scan(column any) error {
	text, ok := column.(string)
	switch {
	case column == nil:
		text = "null"
	case !ok:
		return fmt.Errorf("%T is no JSON", column)
	}
	return json.Unmarshal([]byte(text), j.to)
}
