// Package formats writes the rows of an answer as CSV, as Parquet and as an Excel
// workbook. The first two hold
// what the JSON holds, cell by cell, in the order of its fields:
//
//   - A field inside an object becomes a column with both names:
//     year_on_year_change_pct.
//   - A count of people becomes two columns: the number, and beside it NAME_status,
//     which is number, under_5 or not_published (what JSON writes as null). Of under_5
//     CSV has <5, as JSON does, and Parquet null; of not_published both have nothing. A
//     reader that adds up the numbers never takes a small count or a missing one for a
//     zero.
//   - A list of keys becomes one text, with a comma between.
//   - A field that JSON leaves out or writes as null is an empty cell in CSV and null
//     in Parquet.
//   - Percentages and scores have the digits of JSON in CSV, and are DOUBLE in Parquet,
//     which every reader knows as numbers. Days are DATE.
//   - A last column attribution_statement has every statement to show with the row,
//     word for word, with a space between, so that it goes where the row goes.
//
// CSV is UTF-8 without a byte order mark, with commas, quotes only where RFC 4180
// needs them, one line of column names, and lines that end in LF, so that a line
// break inside a text stays as it is. It is safe to open in a spreadsheet: a text
// that begins with a character which would make it a formula ('=', '+', '-', '@',
// their full-width forms, tab, carriage return, line feed) has an apostrophe in
// front. So that nothing is ambiguous, a text that begins with an apostrophe has one
// more, and a text that is empty, in a column where a text may also be missing, is
// one apostrophe: take one apostrophe off the front of a text to have the value.
// Numbers, dates and true or false are never changed.
//
// Parquet carries the statements, the licences, the sources, the metadata of the
// answer and the meaning of each column in its key-value metadata.
package formats

import (
	"fmt"
	"reflect"
	"strings"
	"time"

	"labour/serve/api"
	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/snapshots/parquetio"
)

// attribution is the column that every file has.
const attribution = "attribution_statement"

// notPublished is what the status column says of a count without a figure. It is
// spelled out, since an empty cell could be taken for an omission.
const notPublished = "not_published"

// statusEnding ends the name of the column beside a count of people.
const statusEnding = "_status"

// Layout is how rows of type R are laid out in columns. It is worked out once and
// safe for concurrent use.
type Layout[R any] struct {
	columns []column
	// own is whether the rows bring their statement themselves.
	own bool
}

// column is one column with the way to its value.
type column struct {
	snapshots.Column
	index    []int // of the field in the row
	value    func(reflect.Value) parquetio.Value
	optional bool // JSON leaves it out where it is null
}

// New is the layout of a row type of package api. The error names a field that no
// column can hold.
func New[R any]() (*Layout[R], error) {
	columns, err := columnsOf(reflect.TypeFor[R](), nil, "")
	if err != nil {
		return nil, fmt.Errorf("columns of %s: %w", reflect.TypeFor[R](), err)
	}
	l := &Layout[R]{columns: columns}
	for _, c := range columns {
		l.own = l.own || c.Name == attribution
	}
	return l, nil
}

// Columns are the columns of a file, in order.
func (l *Layout[R]) Columns() []snapshots.Column {
	var out []snapshots.Column
	for _, c := range l.columns {
		out = append(out, c.Column)
	}
	if !l.own {
		out = append(out, snapshots.Column{Name: attribution, Type: snapshots.Text,
			Doc: "Every statement to show with the row, word for word; several with a space between."})
	}
	return out
}

// columnsOf lists the columns of a struct, whose names begin with prefix.
func columnsOf(t reflect.Type, above []int, prefix string) ([]column, error) {
	var out []column
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" {
			continue
		}
		if name == "" || !f.IsExported() {
			return nil, fmt.Errorf("field %s has no name in JSON", f.Name)
		}
		index := append(append([]int{}, above...), i)
		columns, err := columnsOfField(f, index, prefix+name)
		if err != nil {
			return nil, err
		}
		out = append(out, columns...)
	}
	return out, nil
}

func columnsOfField(f reflect.StructField, index []int, name string) ([]column, error) {
	doc := f.Tag.Get("doc")
	if f.Type == reflect.TypeFor[api.Count]() {
		return countColumns(name, doc, index), nil
	}
	base, nullable := f.Type, false
	if base.Kind() == reflect.Pointer {
		base, nullable = base.Elem(), true
	}
	t, value, maybe := cellOf(base)
	if value == nil {
		if base.Kind() == reflect.Struct && !nullable {
			return columnsOf(base, index, name+"_")
		}
		return nil, fmt.Errorf("field %s of type %s has no column type", f.Name, f.Type)
	}
	if nullable {
		plain := value
		value = func(v reflect.Value) parquetio.Value {
			if v.IsNil() {
				return parquetio.Value{Null: true}
			}
			return plain(v.Elem())
		}
	}
	return []column{{snapshots.Column{Name: name, Type: t, Nullable: nullable || maybe, Doc: doc}, index, value, strings.HasSuffix(f.Tag.Get("json"), ",omitempty")}}, nil
}

// countColumns are the number of a count of people and its status.
func countColumns(name, doc string, index []int) []column {
	number := func(v reflect.Value) parquetio.Value {
		count := v.Interface().(api.Count)
		n, shown := count.Number()
		if count.Status() == figure.Small {
			return parquetio.Value{Null: true, Text: figure.UnderFive}
		}
		return parquetio.Value{Null: !shown, Int: n}
	}
	status := func(v reflect.Value) parquetio.Value {
		s := v.Interface().(api.Count).Status()
		if s == figure.NotPublished {
			s = notPublished
		}
		return parquetio.Value{Text: string(s)}
	}
	return []column{
		{snapshots.Column{Name: name, Type: snapshots.Int64, Nullable: true, Doc: doc + " In CSV <5 for a count of people from 1 to 4; in Parquet only a number, 0 or at least 5."}, index, number, false},
		{snapshots.Column{Name: name + statusEnding, Type: snapshots.Text,
			Doc: "number: " + name + " is the count. under_5: it is a count of people from 1 to 4. not_published: there is no figure, which is never zero."}, index, status, false},
	}
}

const secondsPerDay = 24 * 60 * 60

// cellOf is the column type of a field's type, and how its value is read; nullable
// is whether the type has a null of its own. value is nil where there is none.
func cellOf(t reflect.Type) (column snapshots.Type, value func(reflect.Value) parquetio.Value, nullable bool) {
	switch t {
	case reflect.TypeFor[api.Date]():
		return snapshots.Day, read(func(d api.Date) parquetio.Value { return day(d.Time()) }), false
	case reflect.TypeFor[api.MaybeDate]():
		return snapshots.Day, read(func(d api.MaybeDate) parquetio.Value { return maybe(d.T, day) }), true
	case reflect.TypeFor[api.Timestamp]():
		return snapshots.Timestamp, read(func(m api.Timestamp) parquetio.Value { return moment(m.Time()) }), false
	case reflect.TypeFor[api.MaybeTimestamp]():
		return snapshots.Timestamp, read(func(m api.MaybeTimestamp) parquetio.Value { return maybe(m.T, moment) }), true
	case reflect.TypeFor[api.Share]():
		return snapshots.Float64, read(func(s api.Share) parquetio.Value { return tenths(s.Tenths) }), false
	case reflect.TypeFor[api.Percent]():
		return snapshots.Float64, read(func(p api.Percent) parquetio.Value { return maybe(p.Tenths, tenths) }), true
	case reflect.TypeFor[api.Score]():
		return snapshots.Float64, read(func(s api.Score) parquetio.Value { return maybe(s.TenThousandths, score) }), true
	}
	switch t.Kind() {
	case reflect.String:
		return snapshots.Text, func(v reflect.Value) parquetio.Value { return parquetio.Value{Text: v.String()} }, false
	case reflect.Bool:
		truth := map[bool]int64{true: 1}
		return snapshots.Bool, func(v reflect.Value) parquetio.Value { return whole(truth[v.Bool()]) }, false
	case reflect.Int, reflect.Int64:
		return snapshots.Int64, func(v reflect.Value) parquetio.Value { return whole(v.Int()) }, false
	}
	if t == reflect.TypeFor[api.Keys]() {
		return snapshots.Text, read(func(keys api.Keys) parquetio.Value { return parquetio.Value{Text: strings.Join(keys, ",")} }), false
	}
	return "", nil, false
}

func read[V any](f func(V) parquetio.Value) func(reflect.Value) parquetio.Value {
	return func(v reflect.Value) parquetio.Value { return f(v.Interface().(V)) }
}

func maybe[V any](v *V, f func(V) parquetio.Value) parquetio.Value {
	if v == nil {
		return parquetio.Value{Null: true}
	}
	return f(*v)
}

// day is the calendar day of t in UTC. Before 1970 the division rounds down too.
func day(t time.Time) parquetio.Value {
	return whole((t.Unix() - ((t.Unix()%secondsPerDay)+secondsPerDay)%secondsPerDay) / secondsPerDay)
}

// moment is t cut to whole seconds, as JSON writes it.
func moment(t time.Time) parquetio.Value { return whole(t.Unix() * 1e6) }

// tenths and score have the digits that JSON has in Text, for CSV.
func tenths(t figure.Tenths) parquetio.Value {
	return parquetio.Value{Float: float64(t) / 10, Text: string(figure.AppendTenths(nil, t))}
}

func score(n int64) parquetio.Value {
	return parquetio.Value{Float: float64(n) / 10_000, Text: string(figure.AppendScore(nil, n))}
}

func whole(n int64) parquetio.Value { return parquetio.Value{Int: n} }
