package snapshots

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"time"
)

// SortedRows returns a copy of the rows, sorted by the table's sort columns. Texts are compared by
// their bytes, and a null comes after every value. The sort is stable.
func SortedRows[Row any](t Table, rows []Row) []Row {
	values := make([]reflect.Value, len(rows))
	for i := range rows {
		values[i] = reflect.ValueOf(&rows[i]).Elem()
	}
	slices.SortStableFunc(values, t.compare(reflect.TypeFor[Row]()))
	sorted := make([]Row, len(rows))
	for i, v := range values {
		sorted[i] = *v.Addr().Interface().(*Row)
	}
	return sorted
}

// DistinctRows returns the rows sorted as by SortedRows. If several rows have the same key, it
// returns only the first of them.
func DistinctRows[Row any](t Table, rows []Row) []Row {
	compare := t.compare(reflect.TypeFor[Row]())
	return slices.CompactFunc(SortedRows(t, rows), func(a, b Row) bool {
		return compare(reflect.ValueOf(&a).Elem(), reflect.ValueOf(&b).Elem()) == 0
	})
}

// DistinctRowsOf returns the result of DistinctRows for the table with the name table.
func DistinctRowsOf[Row any](table string, rows []Row) []Row {
	t, _ := FindTable(table)
	return DistinctRows(t, rows)
}

// compare returns a function that compares two rows by the table's sort columns. row is the type of
// the rows, a Go row struct.
func (t Table) compare(row reflect.Type) func(a, b reflect.Value) int {
	key := make([][]int, len(t.SortColumns))
	for _, f := range FieldsOf(row) {
		if i := slices.Index(t.SortColumns, f.Name); i >= 0 {
			key[i] = f.Index
		}
	}
	return func(a, b reflect.Value) int {
		for _, index := range key {
			if c := compareValues(a.FieldByIndex(index), b.FieldByIndex(index)); c != 0 {
				return c
			}
		}
		return 0
	}
}

func compareValues(a, b reflect.Value) int {
	switch {
	case a.Kind() == reflect.Pointer && (a.IsNil() || b.IsNil()):
		place := map[bool]int{true: 1}
		return place[a.IsNil()] - place[b.IsNil()]
	case a.Kind() == reflect.Pointer:
		return compareValues(a.Elem(), b.Elem())
	case a.Kind() == reflect.String:
		return strings.Compare(a.String(), b.String())
	case a.Kind() == reflect.Struct:
		return a.Addr().Interface().(*time.Time).Compare(*b.Addr().Interface().(*time.Time))
	}
	return cmp.Compare(a.Int(), b.Int())
}
