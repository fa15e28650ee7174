package parquetio

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"labour/snapshots"
)

// encodable draws a value that a column can hold.
func encodable(c snapshots.Column) *rapid.Generator[Value] {
	limit := map[snapshots.Type]int64{snapshots.TypeBool: 1, snapshots.TypeInt8: 127, snapshots.TypeInt16: 1<<15 - 1,
		snapshots.TypeInt32: 1<<31 - 1, snapshots.TypeDay: 40_000,
		snapshots.TypeTimestamp: 1 << 50, snapshots.TypeInt64: 1 << 62, snapshots.TypeDecimal1: maxTenths}[c.Type]
	low := -limit
	if c.Type == snapshots.TypeBool {
		low = 0
	}
	return rapid.Custom(func(t *rapid.T) Value {
		switch {
		case c.Nullable && rapid.Bool().Draw(t, "null"):
			return Value{IsNull: true}
		case c.Type == snapshots.TypeText:
			return Value{Text: rapid.String().Draw(t, "text")}
		case c.Type == snapshots.TypeFloat64:
			return Value{Float: rapid.Float64().Draw(t, "float")}
		}
		return Value{Int: rapid.Int64Range(low, limit).Draw(t, "int")}
	})
}

// Encoded columns of every type are read back from the file unchanged.
func TestEncodedFilesReadBack(t *testing.T) {
	var columns []snapshots.Column
	var names []string
	for _, c := range []snapshots.Type{snapshots.TypeText, snapshots.TypeDay, snapshots.TypeTimestamp, snapshots.TypeBool,
		snapshots.TypeInt8, snapshots.TypeInt16,
		snapshots.TypeInt32, snapshots.TypeInt64, snapshots.TypeDecimal1, snapshots.TypeFloat64} {
		for _, nullable := range []bool{false, true} {
			name := string(c) + map[bool]string{true: " or null"}[nullable]
			columns, names = append(columns, snapshots.Column{Name: name, Type: c, Nullable: nullable}),
				append(names, name)
		}
	}
	path := filepath.Join(t.TempDir(), "f.parquet")
	rapid.Check(t, func(t *rapid.T) {
		want := make([][]Value, rapid.IntRange(0, 4).Draw(t, "rows"))
		for i := range want {
			for _, c := range columns {
				want[i] = append(want[i], encodable(c).Draw(t, c.Name))
			}
		}
		meta := map[string]string{"a": rapid.String().Draw(t, "meta"), "b": "2"}
		var file bytes.Buffer
		if err := EncodeRows(&file, columns, meta, len(want),
			func(row, column int) Value { return want[row][column] }); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		var got [][]Value
		var err error
		for values, bad := range ScanColumns(path, names) {
			row := slices.Clone(values)
			for i := range row {
				row[i].Text = strings.Clone(row[i].Text)
			}
			got, err = append(got, row), bad
		}
		if err != nil || len(got) != len(want) || len(want) > 0 && !cmp.Equal(want, got) {
			t.Fatalf("%v:\n%s", err, cmp.Diff(want, got))
		}
		about, err := ReadFooter(path)
		if err != nil || !cmp.Equal(columns, about.Columns) {
			t.Fatalf("%v:\n%s", err, cmp.Diff(columns, about.Columns))
		}
		if kept := about.Metadata; kept["a"] != meta["a"] || kept["b"] != "2" {
			t.Fatal(kept)
		}
	})
}

func TestEncodeRefusesWhatDoesNotFit(t *testing.T) {
	for name, tt := range map[string]struct {
		column snapshots.Column
		value  Value
	}{
		"null":          {snapshots.Column{Name: "c", Type: snapshots.TypeText}, Value{IsNull: true}},
		"wide integer":  {snapshots.Column{Name: "c", Type: snapshots.TypeInt8}, Value{Int: 128}},
		"wide decimal":  {snapshots.Column{Name: "c", Type: snapshots.TypeDecimal1}, Value{Int: maxTenths + 1}},
		"unknown type":  {snapshots.Column{Name: "c", Type: "map"}, Value{}},
		"low a decimal": {snapshots.Column{Name: "c", Type: snapshots.TypeDecimal1}, Value{Int: -maxTenths - 1}},
	} {
		err := EncodeRows(&bytes.Buffer{}, []snapshots.Column{tt.column}, nil, 1, func(int, int) Value { return tt.value })
		if !errors.Is(err, ErrSchema) {
			t.Errorf("%s: %v", name, err)
		}
	}
	err := EncodeRows(full{}, []snapshots.Column{{Name: "c", Type: snapshots.TypeInt8}}, nil, 1,
		func(int, int) Value { return Value{Int: 1} })
	if !errors.Is(err, errFull) {
		t.Errorf("a writer that fails: %v", err)
	}
}

var errFull = errors.New("no space left")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

func BenchmarkEncode(b *testing.B) {
	columns := []snapshots.Column{{Name: "text", Type: snapshots.TypeText},
		{Name: "n", Type: snapshots.TypeInt64, Nullable: true}, {Name: "share", Type: snapshots.TypeDecimal1}}
	for b.Loop() {
		if err := EncodeRows(&bytes.Buffer{}, columns, nil, 200,
			func(row, _ int) Value { return Value{Text: "care", Int: int64(row)} }); err != nil {
			b.Fatal(err)
		}
	}
}
