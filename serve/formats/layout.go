package formats

import (
	"fmt"
	"reflect"
	"strings"

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
	index []int // of the field in the row
	value func(reflect.Value) parquetio.Value
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
	return []column{{snapshots.Column{Name: name, Type: t, Nullable: nullable || maybe, Doc: doc}, index, value}}, nil
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
		{snapshots.Column{Name: name, Type: snapshots.Int64, Nullable: true, Doc: doc + " In CSV <5 for a count of people from 1 to 4; in Parquet only a number, 0 or at least 5."}, index, number},
		{snapshots.Column{Name: name + "_status", Type: snapshots.Text,
			Doc: "number: " + name + " is the count. under_5: it is a count of people from 1 to 4. not_published: there is no figure, which is never zero."}, index, status},
	}
}
