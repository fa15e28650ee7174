package parquetio

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"labour/snapshots"
	"labour/snapshots/filestest"
)

// TestRowsAreComparedAsTablesAreSorted: texts by bytes, then whole numbers, a null after every value.
func TestRowsAreComparedAsTablesAreSorted(t *testing.T) {
	text := func(s string) Value { return Value{Text: s} }
	number := func(n int64) Value { return Value{Int: n} }
	null := Value{IsNull: true}
	ordered := [][]Value{{text("Z"), number(9)}, {text("a"), number(-1)}, {text("a"), number(2)}, {text("a"),
		number(10)},
		{text("a"), null}, {text("é"), number(0)}, {null, number(1)}, {null, null}}
	for i, a := range ordered {
		for j, b := range ordered {
			want := 0
			if i < j {
				want = -1
			}
			if i > j {
				want = 1
			}
			if got := CompareValues(a, b); got != want {
				t.Errorf("%v and %v: %d, want %d", a, b, got, want)
			}
		}
	}
	if got := CompareValues([]Value{{Float: 1}}, []Value{{Float: 2}}); got != 0 {
		t.Errorf("numbers with a fraction are compared: %d", got)
	}
}

// TestDaysOfMoments: the day in UTC, also before 1970.
func TestDaysOfMoments(t *testing.T) {
	for text, want := range map[string]int64{"1970-01-01T00:00:00Z": 0, "1970-01-01T23:59:59Z": 0,
		"1970-01-02T00:00:00Z": 1, "1969-12-31T23:59:59Z": -1, "1969-12-31T00:00:00Z": -1, "1969-12-30T23:59:59Z": -2,
		"1970-01-02T00:30:00+01:00": 0, "2026-11-20T12:00:00Z": 20777} {
		at, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		if got := EncodeDay(at); got != want {
			t.Errorf("%s is the day %d, want %d", text, got, want)
		}
	}
}

// TestFieldsBackAndForth: what a field holds is what the value holds, a moment in whole seconds and
// a day as a day.
func TestFieldsBackAndForth(t *testing.T) {
	type row struct {
		Text   string
		Null   *int8
		Number *int8
		Bool   bool
		Day    time.Time
		Moment time.Time
		Float  float64
	}
	at := time.Date(2026, 11, 20, 13, 14, 15, 999, time.UTC)
	n := int8(7)
	in := row{"a", nil, &n, true, at, at, 1.5}
	out := row{"old", &n, nil, false, time.Time{}, time.Time{}, 0}
	kinds := []snapshots.Type{snapshots.TypeText, snapshots.TypeInt8, snapshots.TypeInt8, snapshots.TypeBool,
		snapshots.TypeDay,
		snapshots.TypeTimestamp, snapshots.TypeFloat64}
	want := []Value{{Text: "a"}, {IsNull: true}, {Int: 7}, {Int: 1}, {Int: 20777}, {Int: 1795180455_000_000}, {Float: 1.5}}
	from, to := reflect.ValueOf(&in).Elem(), reflect.ValueOf(&out).Elem()
	for i, kind := range kinds {
		v := Value{IsNull: true, Text: "old", Int: 9, Float: 9}
		load(from.Field(i), kind, &v)
		if v != want[i] {
			t.Errorf("field %d holds %+v, want %+v", i, v, want[i])
		}
		store(to.Field(i), kind, &v)
	}
	if out.Text != "a" || out.Null != nil || *out.Number != 7 || !out.Bool || out.Float != 1.5 ||
		!out.Day.Equal(time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)) || !out.Moment.Equal(at.Truncate(time.Second)) {
		t.Errorf("%+v", out)
	}
}

// TestWholeNumbersFitTheirColumns or are refused, at both ends.
func TestWholeNumbersFitTheirColumns(t *testing.T) {
	for n, want := range map[int64]bool{-129: false, -128: true, 127: true, 128: false} {
		got := int64(1000)
		if fits := appendWhole(func(v int8) { got = int64(v) }, n); fits != want || want && got != n || !want &&
			got != 1000 {
			t.Errorf("%d fits eight bits: %t, and is %d", n, fits, got)
		}
	}
}

// TestCreditsOfAFile are the keys of the sources in its rows, each of several in one text.
func TestCreditsOfAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.parquet")
	table := snapshots.Table{Name: "x", From: []string{"news"}, Columns: []snapshots.Column{
		{Name: "as_of", Type: snapshots.TypeDay}, {Name: "source_keys", Type: snapshots.TypeText}}}
	type row struct {
		Keys string `col:"source_keys"`
	}
	if err := WriteTable(path, table, nil, asOfTest, []row{{"a,b"}, {"b"}, {"c"}}); err != nil {
		t.Fatal(err)
	}
	got, err := ReadCredits(path, table)
	if want := (snapshots.CreditedSourceKeys{"a": true, "b": true, "c": true}); err != nil ||
		!reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
	if got, err := ReadCredits(path+".gone", table); got != nil || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v, %v", got, err)
	}
	table.From = nil
	if got, err := ReadCredits(path+".gone", table); got == nil || len(got) != 0 || err != nil {
		t.Errorf("a table that names no source is not read: %v, %v", got, err)
	}
}

// TestTablesAreWrittenWhole: as_of in every row, the rows in their order, and no file after an error.
func TestTablesAreWrittenWhole(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.parquet")
	table := snapshots.Table{Name: "x", Columns: []snapshots.Column{{Name: "as_of", Type: snapshots.TypeDay},
		{Name: "text", Type: snapshots.TypeText}}}
	if err := WriteTable(path, table, map[string]string{"k": "v"}, asOfTest, []texts{{"b"}, {"a"}}); err != nil {
		t.Fatal(err)
	}
	got := ""
	for v, err := range ScanColumns(path, []string{"text", "as_of"}) {
		if err != nil || v[1].Int != EncodeDay(asOfTest) {
			t.Errorf("as_of is %v, %v", v, err)
			break
		}
		got += v[0].Text
	}
	if about, err := ReadFooter(path); got != "ba" || err != nil || about.Rows != 2 || about.Metadata["k"] != "v" {
		t.Errorf("%q, %+v, %v", got, about, err)
	}
	if err := WriteTable(path, snapshots.Table{Name: "x"}, nil, asOfTest, []texts{}); !errors.Is(err, ErrSchema) {
		t.Errorf("a table without columns: %v", err)
	}
	none := filepath.Join(dir, "none", "x.parquet")
	if err := WriteTable(none, table, nil, asOfTest, []texts{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a folder that is not there: %v", err)
	}
	type short struct {
		N int8 `col:"n"`
	}
	narrow := snapshots.Table{Columns: []snapshots.Column{{Name: "n", Type: snapshots.TypeInt8}}}
	w, err := CreateTable[short](path, narrow, nil, asOfTest)
	if err != nil {
		t.Fatal(err)
	}
	w.columns[0].Type, w.err = snapshots.TypeInt8, errors.New("failed before")
	if err := w.WriteAll([]short{{1}}); err == nil || !strings.Contains(err.Error(), "failed before") {
		t.Errorf("after an error: %v", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file of a failed writer is there: %v", err)
	}
}

// TestWritersEndOnce: closed or discarded, a writer takes no more rows, and its file stays as it is.
func TestWritersEndOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.parquet")
	w, err := CreateTemporaryFile[texts](path)
	if err := errors.Join(err, w.Append(texts{"a"})); err != nil || w.Rows() != 1 {
		t.Fatal(err, w.Rows())
	}
	if err := errors.Join(w.Close(), w.Discard()); err != nil {
		t.Errorf("closed and then discarded: %v", err)
	}
	if err := w.Close(); err == nil || err.Error() != path+" is closed" {
		t.Errorf("closed twice: %v", err)
	}
	if err := w.Append(texts{"b"}); err == nil || err.Error() != path+" is closed" {
		t.Errorf("a row after the end: %v", err)
	}
	if rows, err := ReadAll[texts](path); err != nil || len(rows) != 1 || rows[0].Text != "a" {
		t.Errorf("%v, %v", rows, err)
	}
	if w, err = CreateTemporaryFile[texts](path); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Discard(), w.Discard()); err != nil {
		t.Errorf("discarded twice: %v", err)
	}
	if err := w.Append(texts{"b"}); err == nil || err.Error() != path+" is discarded" {
		t.Errorf("a row after the end: %v", err)
	}
	if err := w.Close(); err == nil || err.Error() != path+" is discarded" {
		t.Errorf("closed after it was discarded: %v", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a discarded file is there: %v", err)
	}
}

// TestFilesAreClosed after reading, and after errors.
func TestFilesAreClosed(t *testing.T) {
	dir := t.TempDir()
	path, bad, out := filepath.Join(dir, "x"), filepath.Join(dir, "bad"), filepath.Join(dir, "out")
	writeRows(t, path, snapshots.ColumnsOf[texts](), nil, []texts{{"a"}})
	if err := os.WriteFile(bad, []byte("PAR1 PAR1 PAR1"), 0o600); err != nil {
		t.Fatal(err)
	}
	filestest.CheckFilesClosed(t, map[string]func() error{
		"rows":   func() error { _, err := ReadAll[texts](path); return err },
		"footer": func() error { _, err := ReadFooter(path); return err },
		"damage": func() error {
			if _, err := ReadFooter(bad); err != nil {
				return nil
			}
			return errors.New("damage was read")
		},
		"discarded": func() error {
			w, err := CreateTemporaryFile[texts](out)
			return errors.Join(err, w.Discard())
		},
		"written": func() error {
			w, err := CreateTemporaryFile[texts](out)
			return errors.Join(err, w.Close())
		},
	})
}
