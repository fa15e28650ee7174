package parquetio

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/apache/arrow/go/v17/parquet/compress"

	"labour/snapshots"
)

// ImportTable converts the Parquet file src, which another program such as DuckDB wrote, to the
// file dst of a table. It finds columns by name. It adds the column as_of with the date asOf; if
// src has that column already, it must contain that date. ImportTable returns the number of rows.
//
// The error is ErrSchema for unknown, missing or wrongly typed columns, and for nulls in columns
// that may not have them. The rows of src must be sorted, since they keep their order. After an
// error dst does not exist.
func ImportTable(dst string, table snapshots.Table, meta map[string]string, asOf time.Time,
	src string) (rows int64, err error) {
	columns, err := columnsIn(src, table)
	if err != nil {
		return 0, fmt.Errorf("import %s as %s: %w", src, table.Name, err)
	}
	out, err := createGroups(dst, table.Columns, meta, compress.Codecs.Zstd)
	if err != nil {
		return 0, err
	}
	date := Value{Int: EncodeDay(asOf)}
	for values, err := range scan(src, columns) {
		for i := 0; i < len(table.Columns) && err == nil; i++ {
			v := &date
			if table.Columns[i].Name != asOfName || len(columns) == len(table.Columns) {
				v, values = &values[0], values[1:]
			}
			if table.Columns[i].Name == asOfName && *v != date {
				err = fmt.Errorf("row %d is of another day than %s: %w", out.rows, asOf.Format(time.DateOnly),
					ErrSchema)
			} else {
				err = out.add(i, v)
			}
		}
		if err == nil {
			err = out.endRow()
		}
		if err != nil {
			return 0, errors.Join(fmt.Errorf("import as %s: %w", table.Name, err), out.sink.discard())
		}
	}
	return out.rows, out.close()
}

// columnsIn returns the columns to read from the file src: all columns of the table, but without
// as_of if src does not have it. It returns an error if src has other columns.
func columnsIn(src string, table snapshots.Table) ([]snapshots.Column, error) {
	about, err := ReadFooter(src)
	faults := []error{err}
	for _, c := range about.Columns {
		if _, known := table.Column(c.Name); !known {
			faults = append(faults, fmt.Errorf("column %s is unknown: %w", c.Name, ErrSchema))
		}
	}
	dated := slices.ContainsFunc(about.Columns, func(c snapshots.Column) bool { return c.Name == asOfName })
	columns := slices.DeleteFunc(slices.Clone(table.Columns),
		func(c snapshots.Column) bool { return c.Name == asOfName && !dated })
	return columns, errors.Join(faults...)
}
