package parquetio

import (
	"errors"
	"fmt"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"labour/snapshots"
)

// Import makes the file of a table from a Parquet file that another program wrote, such as DuckDB's
// COPY. Columns are found by name, in any order. It refuses unknown and missing columns, other
// types than the table's, and nulls where the table has none. It adds the column as_of; if the file
// has one, it must hold that date. The rows keep their order: sorting them is the caller's part.
// dst appears only when the import succeeds; memory is bounded by two row groups.
func Import(dst string, table snapshots.Table, meta map[string]string, asOf time.Time, src string) (rows int64, err error) {
	in, err := openSource(src, RowGroupRows)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, in.close()) }()
	plan, err := planImport(table, in, asOf)
	if err != nil {
		return 0, fmt.Errorf("import %s as %s: %w", src, table.Name, err)
	}
	out, err := createSink(dst, table.Columns, meta, packed())
	if err != nil {
		return 0, err
	}
	for rec, readErr := range in.records(plan.at) {
		var made arrow.Record
		if err = readErr; err == nil {
			made, err = plan.move(rec, out.schema)
		}
		if err == nil {
			err = out.put(made)
		}
		if err != nil {
			return 0, errors.Join(fmt.Errorf("import as %s: %w", table.Name, err), out.discard())
		}
	}
	return plan.row, out.close()
}

// importPlan says where each column of the table comes from.
type importPlan struct {
	columns []snapshots.Column
	at      []int // leaves of the source to read
	from    []int // for each column its place in at, or -1 for as_of made here
	asOf    time.Time
	row     int64 // rows moved so far
}

func planImport(table snapshots.Table, in *source, asOf time.Time) (*importPlan, error) {
	p := &importPlan{columns: table.Columns, asOf: asOf}
	var faults []error
	for _, c := range table.Columns {
		if c.Name == asOfName && len(in.schema.FieldIndices(asOfName)) == 0 {
			p.from = append(p.from, -1)
			continue
		}
		at, err := in.find([]snapshots.Column{c})
		faults = append(faults, err)
		p.from, p.at = append(p.from, len(p.at)), append(p.at, at...)
	}
	for _, f := range in.schema.Fields() {
		if _, known := table.Column(f.Name); !known {
			faults = append(faults, fmt.Errorf("column %s is unknown: %w", f.Name, ErrSchema))
		}
	}
	return p, errors.Join(faults...)
}

// move makes one batch of the table of one of the source.
func (p *importPlan) move(rec arrow.Record, schema *arrow.Schema) (arrow.Record, error) {
	columns := make([]arrow.Array, len(p.columns))
	for i, c := range p.columns {
		if p.from[i] < 0 {
			columns[i] = repeatDay(p.asOf, int(rec.NumRows()))
			defer columns[i].Release()
			continue
		}
		columns[i] = rec.Column(p.from[i])
		if err := p.check(columns[i], c); err != nil {
			return nil, err
		}
	}
	p.row += rec.NumRows()
	return array.NewRecord(schema, columns, rec.NumRows()), nil
}

// check names the first null of a column that has none, and the first other date of as_of.
func (p *importPlan) check(a arrow.Array, c snapshots.Column) error {
	if !c.Nullable && a.NullN() > 0 {
		for i := range a.Len() {
			if a.IsNull(i) {
				return fmt.Errorf("column %s, row %d: null: %w", c.Name, p.row+int64(i), ErrSchema)
			}
		}
	}
	if c.Name != asOfName {
		return nil
	}
	want := arrow.Date32(day(p.asOf))
	for i, d := range a.(*array.Date32).Date32Values() {
		if d != want {
			return fmt.Errorf("column %s, row %d: is %s, not %s: %w", c.Name, p.row+int64(i),
				d.FormattedString(), want.FormattedString(), ErrSchema)
		}
	}
	return nil
}

func repeatDay(t time.Time, n int) arrow.Array {
	b := array.NewDate32Builder(memory.DefaultAllocator)
	b.Reserve(n)
	for range n {
		b.UnsafeAppend(arrow.Date32(day(t)))
	}
	return b.NewArray()
}
