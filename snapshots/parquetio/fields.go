package parquetio

import (
	"fmt"
	"reflect"

	"labour/snapshots"
)

// holds reports by an error that a field cannot hold a column. A nullable column needs a
// pointer and another must not have one, so that nil and zero are never mixed up.
func holds(f snapshots.Field, c snapshots.Column) error {
	if f.Type != c.Type || f.Nullable != c.Nullable {
		return fmt.Errorf("column %s is %s, nullable %t; its field holds %q, nullable %t: %w", c.Name, c.Type, c.Nullable, f.Type, f.Nullable, ErrSchema)
	}
	return nil
}

// match gives each column its field. Every column must have one and every field
// a column.
func match(row reflect.Type, columns []snapshots.Column) ([]snapshots.Field, error) {
	fields := snapshots.FieldsOf(row)
	if len(fields) == 0 || len(fields) != len(columns) {
		return nil, fmt.Errorf("%s has %d fields for %d columns: %w", row, len(fields), len(columns), ErrSchema)
	}
	byName := map[string]snapshots.Field{}
	for _, f := range fields {
		byName[f.Name] = f
	}
	var out []snapshots.Field
	for _, c := range columns {
		f, ok := byName[c.Name]
		if !ok {
			return nil, fmt.Errorf("%s has no field for column %s: %w", row, c.Name, ErrSchema)
		}
		if err := holds(f, c); err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	return out, nil
}

// pointerTo is a pointer to a field of the one row that slot is, as a pointer to
// the plain type V (a field of a named string type gives a *string).
func pointerTo[V any](slot reflect.Value, f snapshots.Field) *V {
	return slot.FieldByIndex(f.Index).Addr().Convert(reflect.TypeFor[*V]()).Interface().(*V)
}
