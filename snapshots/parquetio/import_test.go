package parquetio

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

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
	Month time.Time      `col:"month"`
	Count *int32         `col:"count"`
	Share *figure.Tenths `col:"share"`
	Level int8           `col:"level"`
	Name  *string        `col:"name"`
}

func narrowTable() snapshots.Table {
	return snapshots.Table{Name: "narrow", Columns: []snapshots.Column{
		{Name: asOfName, Type: snapshots.TypeDay}, {Name: "name", Type: snapshots.TypeText},
		{Name: "level", Type: snapshots.TypeInt8},
		{Name: "count", Type: snapshots.TypeInt32, Nullable: true},
		{Name: "share", Type: snapshots.TypeDecimal1, Nullable: true},
		{Name: "month", Type: snapshots.TypeDay}}}
}

// drawWide gives a row, and the row it must become; ok is false where it must be refused.
func drawWide(t *rapid.T) (in wide, out narrow, ok bool) {
	name := rapid.StringN(0, 8, -1).Draw(t, "name")
	out = narrow{Name: name, Level: rapid.Int8().Draw(t, "level"), Count: rapid.Ptr(rapid.Int32(), true).Draw(t,
		"count"),
		Month: time.Unix(rapid.Int64Range(-10000, 30000).Draw(t, "day")*secondsPerDay, 0).UTC()}
	if s := rapid.Ptr(rapid.Int64Range(-maxTenths, maxTenths), true).Draw(t, "share"); s != nil {
		v := figure.Tenths(*s)
		out.Share = &v
	}
	in = wide{Name: &name, Level: out.Level, Count: out.Count, Share: out.Share, Month: out.Month}
	if ok = rapid.IntRange(0, 30).Draw(t, "odd") > 0; !ok { // most rows are sound
		in.Name = nil
	}
	return in, out, ok
}

func TestImportKeepsRowsOrRefusesNulls(t *testing.T) {
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
		writeRows(t, src, snapshots.ColumnsOf[wide](), nil, in)
		rows, err := ImportTable(dst, narrowTable(), map[string]string{"k": "v"}, asOfTest, src)
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
	writeRows(t, src, snapshots.ColumnsOf[wide](), nil, []wide{{Name: &name, Month: asOfTest}})
	if _, err := ImportTable(dst, narrowTable(), map[string]string{"k": "v"}, asOfTest, src); err != nil {
		t.Fatal(err)
	}
	checkImported(t, dst)
}

func checkImported(t *testing.T, path string) {
	t.Helper()
	about, err := ReadFooter(path)
	if err != nil || !cmp.Equal(about.Columns, narrowTable().Columns) {
		t.Errorf("schema %v, %v", about.Columns, err)
	}
	if !cmp.Equal(about.Metadata, map[string]string{"k": "v"}) {
		t.Errorf("metadata %v", about.Metadata)
	}
	for v, err := range ScanColumns(path, []string{asOfName}) {
		if err != nil || v[0].Int != asOfTest.Unix()/secondsPerDay {
			t.Errorf("as_of is %v, %v", v, err)
		}
	}
}

func TestImportRefusesOtherColumns(t *testing.T) {
	dir := t.TempDir()
	src, dst := filepath.Join(dir, "src.parquet"), filepath.Join(dir, "dst.parquet")
	name := "x"
	writeRows(t, src, snapshots.ColumnsOf[wide](), nil, []wide{{Name: &name, Month: asOfTest}})
	more := narrowTable()
	more.Columns = append(more.Columns, snapshots.Column{Name: "missing", Type: snapshots.TypeText})
	fewer := narrowTable()
	fewer.Columns = fewer.Columns[:5]
	other := narrowTable()
	other.Columns[5].Type = snapshots.TypeBool
	narrower := narrowTable()
	narrower.Columns[3].Type = snapshots.TypeInt16
	for what, table := range map[string]snapshots.Table{"missing": more, "unknown": fewer, "another type of": other,
		"narrower": narrower} {
		if _, err := ImportTable(dst, table, nil, asOfTest, src); !errors.Is(err, ErrSchema) {
			t.Errorf("%s column: %v", what, err)
		}
		if _, err := ReadFooter(dst); err == nil {
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
	table := snapshots.Table{Columns: []snapshots.Column{{Name: asOfName, Type: snapshots.TypeDay},
		{Name: "n", Type: snapshots.TypeInt32}}}
	for shift, ok := range map[int]bool{0: true, 1: false} {
		writeRows(t, src, table.Columns, nil, []dated{{asOfTest, 1}, {asOfTest.AddDate(0, 0, shift), 2}})
		if _, err := ImportTable(dst, table, nil, asOfTest, src); (err == nil) != ok {
			t.Errorf("second row %d days later: %v", shift, err)
		}
	}
}
