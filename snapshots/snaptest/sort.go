package snaptest

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"time"

	"labour/snapshots"
)

// Sorted is the rows in the order of the table: texts by their bytes, a null
// after every value.
func Sorted[T any](table snapshots.Table, rows []T) []T {
	at := map[string][]int{}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[T]()) {
		at[f.Tag.Get("col")] = f.Index
	}
	out := slices.Clone(rows)
	slices.SortStableFunc(out, func(a, b T) int {
		va, vb := reflect.ValueOf(a), reflect.ValueOf(b)
		for _, column := range table.Sort {
			if c := compare(va.FieldByIndex(at[column]), vb.FieldByIndex(at[column])); c != 0 {
				return c
			}
		}
		return 0
	})
	return out
}

func compare(a, b reflect.Value) int {
	if a.Kind() == reflect.Pointer {
		if a.IsNil() || b.IsNil() {
			return cmp.Compare(rank(a), rank(b))
		}
		return compare(a.Elem(), b.Elem())
	}
	if t, ok := a.Interface().(time.Time); ok {
		return t.Compare(b.Interface().(time.Time))
	}
	if a.Kind() == reflect.String {
		return strings.Compare(a.String(), b.String())
	}
	return cmp.Compare(a.Int(), b.Int())
}

func rank(pointer reflect.Value) int {
	if pointer.IsNil() {
		return 1
	}
	return 0
}
