package parquetio

import (
	"errors"
	"math"
	"path/filepath"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"labour/snapshots"
	"labour/snapshots/figure"
)

var asOfTest = time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)

// narrow is a table; wide is how an engine writes the same columns, in another order.
type narrow struct {
	Name  string         `col:"name"`
	Level int8           `col:"level"`
	Count *int32         `col:"count"`
	Share *figure.Tenths `col:"share"`
	Month time.Time      `col:"month"`
}

type wide struct {
	Month time.Time `col:"month"` // a timestamp
	Count *float64  `col:"count"`
	Share *int64    `col:"share"`
	Level int64     `col:"level"`
	Name  *string   `col:"name"`
}

func narrowTable() snapshots.Table {
	return snapshots.Table{Name: "narrow", Columns: []snapshots.Column{
		{Name: asOfName, Type: snapshots.Day}, {Name: "name", Type: snapshots.Text}, {Name: "level", Type: snapshots.Int8},
		{Name: "count", Type: snapshots.Int32, Nullable: true}, {Name: "share", Type: snapshots.Decimal1, Nullable: true},
		{Name: "month", Type: snapshots.Day}}}
}

func wideColumns() []snapshots.Column {
	return []snapshots.Column{{Name: "month", Type: snapshots.Timestamp}, {Name: "count", Type: snapshots.Float64, Nullable: true},
		{Name: "share", Type: snapshots.Int64, Nullable: true}, {Name: "level", Type: snapshots.Int64},
		{Name: "name", Type: snapshots.Text, Nullable: true}}
}

// drawWide gives a row, and the row it must become; ok is false where it must be refused.
func drawWide(t *rapid.T) (in wide, out narrow, ok bool) {
	odd := rapid.IntRange(0, 60).Draw(t, "odd") // most rows are sound
	name := rapid.StringN(0, 8, -1).Draw(t, "name")
	level := rapid.Int64Range(math.MinInt8, math.MaxInt8).Draw(t, "level")
	seconds := rapid.Int64Range(-10000, 30000).Draw(t, "day") * secondsPerDay
	switch odd {
	case 1:
		level = rapid.SampledFrom([]int64{128, -129, math.MaxInt64, math.MinInt64}).Draw(t, "level out")
	case 2:
		seconds++
	}
	in = wide{Name: &name, Level: level, Month: time.Unix(seconds, 0).UTC()}
	out = narrow{Name: name, Level: int8(level), Month: in.Month}
	if n := rapid.Ptr(rapid.Int32(), true).Draw(t, "count"); n != nil {
		f := float64(*n)
		if odd == 3 {
			f += 0.5
		}
		in.Count, out.Count = &f, n
	}
	if s := rapid.Ptr(rapid.Int64Range(-99_999, 99_999), true).Draw(t, "share"); s != nil {
		v := figure.Tenths(*s * 10)
		if odd == 4 {
			*s = rapid.SampledFrom([]int64{100_000, math.MaxInt64, math.MinInt64}).Draw(t, "share out")
		}
		in.Share, out.Share = s, &v
	}
	if odd == 5 {
		in.Name = nil
	}
	ok = odd == 0 || odd > 5 || odd == 3 && in.Count == nil || odd == 4 && in.Share == nil
	return in, out, ok
}

func TestImportCastsExactlyOrRefuses(t *testing.T) {
	dir := t.TempDir()
	src, dst := filepath.Join(dir, "src.parquet"), filepath.Join(dir, "dst.parquet")
	rapid.Check(t, func(rt *rapid.T) {
		var in []wide
		var want []narrow
		sound := true
		for range rapid.IntRange(0, 12).Draw(rt, "rows") {
			i, o, ok := drawWide(rt)
			in, want, sound = append(in, i), append(want, o), sound && ok
		}
		writeRows(t, src, wideColumns(), nil, in)
		rows, err := Import(dst, narrowTable(), map[string]string{"k": "v"}, asOfTest, src)
		if !sound {
			if !errors.Is(err, ErrSchema) {
				rt.Fatalf("not refused: %v", err)
			}
			return
		}
		got, readErr := ReadAll[narrow](dst)
		if err != nil || readErr != nil || rows != int64(len(in)) || !cmp.Equal(got, want) {
			rt.Fatalf("%d rows, %v, %v: %s", rows, err, readErr, cmp.Diff(want, got))
		}
	})
	name := "x"
	writeRows(t, src, wideColumns(), nil, []wide{{Name: &name, Month: asOfTest}})
	if _, err := Import(dst, narrowTable(), map[string]string{"k": "v"}, asOfTest, src); err != nil {
		t.Fatal(err)
	}
	checkImported(t, dst)
}

func checkImported(t *testing.T, path string) {
	t.Helper()
	columns, err := Schema(path)
	if err != nil || !cmp.Equal(columns, narrowTable().Columns) {
		t.Errorf("schema %v, %v", columns, err)
	}
	meta, err := Metadata(path)
	if err != nil || !cmp.Equal(meta, map[string]string{"k": "v"}) {
		t.Errorf("metadata %v, %v", meta, err)
	}
	err = Scan(path, []string{asOfName}, func(row int64, v []Value) error {
		if v[0].Int != asOfTest.Unix()/secondsPerDay {
			t.Errorf("row %d: as_of is day %d", row, v[0].Int)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestImportRefusesOtherColumns(t *testing.T) {
	dir := t.TempDir()
	src, dst := filepath.Join(dir, "src.parquet"), filepath.Join(dir, "dst.parquet")
	name := "x"
	writeRows(t, src, wideColumns(), nil, []wide{{Name: &name, Month: asOfTest}})
	more := narrowTable()
	more.Columns = append(more.Columns, snapshots.Column{Name: "missing", Type: snapshots.Text})
	fewer := narrowTable()
	fewer.Columns = fewer.Columns[:5]
	other := narrowTable()
	other.Columns[5].Type = snapshots.Bool
	for what, table := range map[string]snapshots.Table{"missing": more, "unknown": fewer, "type": other} {
		if _, err := Import(dst, table, nil, asOfTest, src); !errors.Is(err, ErrSchema) {
			t.Errorf("%s column: %v", what, err)
		}
		if _, err := Rows(dst); err == nil {
			t.Errorf("%s column: a file was left behind", what)
		}
	}
}

// dated is a file that has as_of already.
type dated struct {
	AsOf time.Time `col:"as_of"`
	N    int32     `col:"n"`
}

func TestImportChecksADateThatIsThere(t *testing.T) {
	dir := t.TempDir()
	src, dst := filepath.Join(dir, "src.parquet"), filepath.Join(dir, "dst.parquet")
	table := snapshots.Table{Columns: []snapshots.Column{{Name: asOfName, Type: snapshots.Day}, {Name: "n", Type: snapshots.Int32}}}
	for shift, ok := range map[int]bool{0: true, 1: false} {
		writeRows(t, src, table.Columns, nil, []dated{{asOfTest, 1}, {asOfTest.AddDate(0, 0, shift), 2}})
		if _, err := Import(dst, table, nil, asOfTest, src); (err == nil) != ok {
			t.Errorf("second row %d days later: %v", shift, err)
		}
	}
}

// one makes an array of one value, for types that no column of ours has.
func one[B array.Builder](t arrow.DataType, add func(B)) arrow.Array {
	b := array.NewBuilder(memory.DefaultAllocator, t)
	add(b.(B))
	return b.NewArray()
}

func TestCasts(t *testing.T) {
	dec := func(precision, scale int32, v string) arrow.Array {
		n, err := decimal128.FromString(v, precision, scale)
		if err != nil {
			t.Fatal(err)
		}
		return one(&arrow.Decimal128Type{Precision: precision, Scale: scale}, func(b *array.Decimal128Builder) { b.Append(n) })
	}
	u64 := func(v uint64) arrow.Array {
		return one(arrow.PrimitiveTypes.Uint64, func(b *array.Uint64Builder) { b.Append(v) })
	}
	double := func(v float64) arrow.Array {
		return one(arrow.PrimitiveTypes.Float64, func(b *array.Float64Builder) { b.Append(v) })
	}
	at := func(unit arrow.TimeUnit, v int64) arrow.Array {
		return one(&arrow.TimestampType{Unit: unit}, func(b *array.TimestampBuilder) { b.Append(arrow.Timestamp(v)) })
	}
	for _, c := range []struct {
		name string
		in   arrow.Array
		to   snapshots.Type
		want string // empty: refused
	}{
		{"hundredths that are zero", dec(9, 2, "12.30"), snapshots.Decimal1, "12.3"},
		{"hundredths that are not", dec(9, 2, "12.35"), snapshots.Decimal1, ""},
		{"negative decimal", dec(38, 3, "-4.500"), snapshots.Decimal1, "-4.5"},
		{"whole decimal", dec(18, 0, "7"), snapshots.Decimal1, "7"},
		{"decimal to a number", dec(18, 2, "7.00"), snapshots.Int32, "7"},
		{"decimal with a part", dec(18, 2, "7.01"), snapshots.Int32, ""},
		{"decimal of 38 digits", dec(38, 0, "99999999999999999999999999999999999999"), snapshots.Int64, ""},
		{"largest share", dec(9, 1, "99999.9"), snapshots.Decimal1, "99999.9"},
		{"too large a share", dec(9, 1, "100000.0"), snapshots.Decimal1, ""},
		{"unsigned", u64(127), snapshots.Int8, "127"},
		{"unsigned too large", u64(128), snapshots.Int8, ""},
		{"unsigned past int64", u64(math.MaxUint64), snapshots.Int64, ""},
		{"double", double(-3), snapshots.Int16, "-3"},
		{"not a number", double(math.NaN()), snapshots.Int64, ""},
		{"infinite", double(math.Inf(-1)), snapshots.Int64, ""},
		{"double past its exact range", double(1 << 60), snapshots.Int64, ""},
		{"double to a share", double(1), snapshots.Decimal1, ""},
		{"nanoseconds", at(arrow.Nanosecond, 2e9), snapshots.Timestamp, "1970-01-01 00:00:02Z"},
		{"half a second", at(arrow.Millisecond, 1500), snapshots.Timestamp, ""},
		{"midnight", at(arrow.Second, -secondsPerDay), snapshots.Day, "1969-12-31"},
		{"past midnight", at(arrow.Microsecond, 1), snapshots.Day, ""},
		{"seconds past the range", at(arrow.Second, math.MaxInt64), snapshots.Timestamp, ""},
		{"number to text", u64(1), snapshots.Text, ""},
		{"text to number", one(arrow.BinaryTypes.String, func(b *array.StringBuilder) { b.Append("1") }), snapshots.Int8, ""},
	} {
		out, _, err := castColumn(c.in, c.to)
		switch {
		case c.want == "" && !errors.Is(err, ErrSchema):
			t.Errorf("%s: not refused: %v, %v", c.name, out, err)
		case c.want != "" && (err != nil || out.ValueStr(0) != c.want):
			t.Errorf("%s: %v, %v, want %s", c.name, out, err, c.want)
		}
	}
}
