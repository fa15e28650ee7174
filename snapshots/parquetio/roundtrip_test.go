package parquetio

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"labour/snapshots"
	"labour/snapshots/figure"
)

// everything has a field of each type, with and without nulls.
type everything struct {
	Text    string         `col:"text"`
	Named   figure.Status  `col:"named"`
	TextN   *string        `col:"text_n"`
	Day     time.Time      `col:"day"`
	DayN    *time.Time     `col:"day_n"`
	Time    time.Time      `col:"time" is:"moment"`
	TimeN   *time.Time     `col:"time_n" is:"moment"`
	Bool    bool           `col:"bool"`
	BoolN   *bool          `col:"bool_n"`
	I8      int8           `col:"i8"`
	I8N     *int8          `col:"i8_n"`
	I16     int16          `col:"i16"`
	I16N    *int16         `col:"i16_n"`
	I32     int32          `col:"i32"`
	I32N    *int32         `col:"i32_n"`
	I64     int64          `col:"i64"`
	I64N    *int64         `col:"i64_n"`
	Float   float64        `col:"float"`
	FloatN  *float64       `col:"float_n"`
	Tenths  figure.Tenths  `col:"tenths"`
	TenthsN *figure.Tenths `col:"tenths_n"`
	_       int
}

func everyColumn() []snapshots.Column {
	var columns []snapshots.Column
	for _, c := range []struct {
		name string
		t    snapshots.Type
	}{{"text", snapshots.TypeText}, {"day", snapshots.TypeDay}, {"time", snapshots.TypeTimestamp}, {"bool",
		snapshots.TypeBool},
		{"i8", snapshots.TypeInt8}, {"i16", snapshots.TypeInt16}, {"i32", snapshots.TypeInt32}, {"i64", snapshots.TypeInt64},
		{"float", snapshots.TypeFloat64}, {"tenths", snapshots.TypeDecimal1}} {
		columns = append(columns, snapshots.Column{Name: c.name, Type: c.t},
			snapshots.Column{Name: c.name + "_n", Type: c.t, Nullable: true})
	}
	return append(columns, snapshots.Column{Name: "named", Type: snapshots.TypeText})
}

func drawRow(t *rapid.T) everything {
	text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "care", "Gofal Cymdeithasol", "x\x00y"}))
	day := rapid.Map(rapid.Int64Range(-20000, 40000),
		func(d int64) time.Time { return time.Unix(d*secondsPerDay, 0).UTC() })
	at := rapid.Map(rapid.Int64Range(-2e9, 4e9), func(s int64) time.Time { return time.Unix(s, 0).UTC() })
	tenths := rapid.Map(rapid.Int64Range(-maxTenths, maxTenths),
		func(v int64) figure.Tenths { return figure.Tenths(v) })
	return everything{
		Text: text.Draw(t, "text"), Named: figure.Status(text.Draw(t, "named")),
		TextN: rapid.Ptr(text, true).Draw(t, "textN"),
		Day:   day.Draw(t, "day"), DayN: rapid.Ptr(day, true).Draw(t, "dayN"),
		Time: at.Draw(t, "time"), TimeN: rapid.Ptr(at, true).Draw(t, "timeN"),
		Bool: rapid.Bool().Draw(t, "bool"), BoolN: rapid.Ptr(rapid.Bool(), true).Draw(t, "boolN"),
		I8: rapid.Int8().Draw(t, "i8"), I8N: rapid.Ptr(rapid.Int8(), true).Draw(t, "i8N"),
		I16: rapid.Int16().Draw(t, "i16"), I16N: rapid.Ptr(rapid.Int16(), true).Draw(t, "i16N"),
		I32: rapid.Int32().Draw(t, "i32"), I32N: rapid.Ptr(rapid.Int32(), true).Draw(t, "i32N"),
		I64: rapid.Int64().Draw(t, "i64"), I64N: rapid.Ptr(rapid.Int64(), true).Draw(t, "i64N"),
		Float: rapid.Float64().Draw(t, "float"), FloatN: rapid.Ptr(rapid.Float64(), true).Draw(t, "floatN"),
		Tenths: tenths.Draw(t, "tenths"), TenthsN: rapid.Ptr(tenths, true).Draw(t, "tenthsN"),
	}
}

func writeRows[T any](t testing.TB, path string, columns []snapshots.Column, meta map[string]string, rows []T) {
	t.Helper()
	w, err := CreateFile[T](path, columns, meta)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if err := w.Append(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestRowsComeBackAsTheyWere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rows.parquet")
	rapid.Check(t, func(rt *rapid.T) {
		rows := rapid.SliceOfN(rapid.Custom(drawRow), 0, 40).Draw(rt, "rows")
		writeRows(t, path, everyColumn(), map[string]string{"b": "2", "a": "1"}, rows)
		back, err := ReadAll[everything](path)
		if err != nil {
			rt.Fatal(err)
		}
		if len(back) != len(rows) || len(rows) > 0 && !cmp.Equal(back, rows, cmp.AllowUnexported(everything{})) {
			rt.Fatalf("came back otherwise: %s", cmp.Diff(rows, back, cmp.AllowUnexported(everything{})))
		}
		if about, err := ReadFooter(path); err != nil || about.Rows != int64(len(rows)) {
			rt.Fatalf("%d rows, %v; want %d", about.Rows, err, len(rows))
		}
	})
}
