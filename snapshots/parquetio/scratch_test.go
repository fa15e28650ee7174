package parquetio

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"labour/snapshots"
	"labour/snapshots/figure"
)

// passing is a row with every type that a scratch file holds, and a null of each.
type passing struct {
	ID     string     `col:"id"`
	Word   string     `col:"word"`
	Tiny   int8       `col:"tiny"`
	Short  int16      `col:"short"`
	Number int32      `col:"number"`
	Long   int64      `col:"long"`
	Flag   bool       `col:"flag"`
	Share  float64    `col:"share"`
	On     time.Time  `col:"on"`
	At     time.Time  `col:"at"`
	MayID  *string    `col:"may_id"`
	May    *string    `col:"may"`
	Maybe  *int32     `col:"maybe"`
	Flags  *bool      `col:"flags"`
	Shares *float64   `col:"shares"`
	Closes *time.Time `col:"closes"`
}

func passingColumns() []snapshots.Column {
	column := func(name string, t snapshots.Type) snapshots.Column { return snapshots.Column{Name: name, Type: t} }
	null := func(name string, t snapshots.Type) snapshots.Column {
		return snapshots.Column{Name: name, Type: t, Nullable: true}
	}
	return []snapshots.Column{column("id", snapshots.Text), column("word", snapshots.Text), column("tiny", snapshots.Int8),
		column("short", snapshots.Int16), column("number", snapshots.Int32), column("long", snapshots.Int64), column("flag", snapshots.Bool),
		column("share", snapshots.Float64), column("on", snapshots.Day), column("at", snapshots.Timestamp), null("may_id", snapshots.Text),
		null("may", snapshots.Text), null("maybe", snapshots.Int32), null("flags", snapshots.Bool), null("shares", snapshots.Float64),
		null("closes", snapshots.Day)}
}

// passingRow draws a row, often with values at the edges of their types.
func passingRow(t *rapid.T) passing {
	whole := rapid.OneOf(rapid.Int64(), rapid.Int64Range(-3, 3), rapid.SampledFrom([]int64{math.MinInt64, math.MaxInt64, math.MinInt32, math.MaxInt32}))
	text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "a", "b", "a longer word"}))
	day := rapid.Map(rapid.IntRange(-40_000, 40_000), func(d int) time.Time { return time.Unix(int64(d)*secondsPerDay, 0).UTC() })
	return passing{ID: text.Draw(t, "id"), Word: text.Draw(t, "word"), Tiny: int8(whole.Draw(t, "tiny")), Short: int16(whole.Draw(t, "short")),
		Number: int32(whole.Draw(t, "number")), Long: whole.Draw(t, "long"), Flag: rapid.Bool().Draw(t, "flag"),
		Share: rapid.Float64().Draw(t, "share"), On: day.Draw(t, "on"),
		At:    time.Unix(rapid.Int64Range(-1e10, 1e10).Draw(t, "at"), 0).UTC(),
		MayID: rapid.Ptr(text, true).Draw(t, "may id"), May: rapid.Ptr(text, true).Draw(t, "may"),
		Maybe: rapid.Ptr(rapid.Int32(), true).Draw(t, "maybe"), Flags: rapid.Ptr(rapid.Bool(), true).Draw(t, "flags"),
		Shares: rapid.Ptr(rapid.Float64(), true).Draw(t, "shares"), Closes: rapid.Ptr(day, true).Draw(t, "closes")}
}

func writeScratch[T any](path string, columns []snapshots.Column, distinct []string, rows []T) error {
	w, err := CreateScratch[T](path, columns, distinct)
	if err != nil {
		return err
	}
	for _, row := range rows {
		if err := w.Append(row); err != nil {
			return errors.Join(err, w.Close())
		}
	}
	if w.Rows() != int64(len(rows)) {
		return fmt.Errorf("%d rows of %d", w.Rows(), len(rows))
	}
	return w.Close()
}

func TestScratchHoldsTheRows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "scratch.parquet")
	rapid.Check(t, func(r *rapid.T) {
		rows := make([]passing, rapid.OneOf(rapid.IntRange(0, 40), rapid.IntRange(120, 300)).Draw(r, "rows"))
		drawn := rapid.SliceOfN(rapid.Custom(passingRow), 1, 20).Draw(r, "drawn")
		for i := range rows {
			rows[i] = drawn[rapid.IntRange(0, len(drawn)-1).Draw(r, "which")]
		}
		if err := writeScratch(path, passingColumns(), []string{"id", "may_id"}, rows); err != nil {
			r.Fatal(err)
		}
		got, err := ReadAll[passing](path)
		if err != nil {
			r.Fatal(err)
		}
		if len(got) != len(rows) || len(rows) > 0 && !cmp.Equal(got, rows) {
			r.Fatal(cmp.Diff(rows, got))
		}
	})
}

// TestScratchOfManyRowGroups fills row groups by rows and by text, and uses the memory
// of each again.
func TestScratchOfManyRowGroups(t *testing.T) {
	path := filepath.Join(t.TempDir(), "scratch.parquet")
	rows := stagedRows(2*RowGroupRows + 7)
	if err := writeScratch(path, stagedColumns(), []string{"id"}, rows); err != nil {
		t.Fatal(err)
	}
	at := 0
	err := Read(path, func(row staged) error {
		want := rows[at]
		want.Posted = want.Posted.UTC().Truncate(24 * time.Hour)
		if row.Level != nil && want.Level != nil && *row.Level == *want.Level {
			row.Level = want.Level
		}
		if row != want {
			return fmt.Errorf("row %d is %+v, want %+v", at, row, want)
		}
		at++
		return nil
	})
	if err != nil || at != len(rows) {
		t.Fatalf("%d rows, %v", at, err)
	}
}

func TestScratchRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "scratch.parquet")
	type tenths struct {
		Share figure.Tenths `col:"share"`
	}
	if _, err := CreateScratch[tenths](path, []snapshots.Column{{Name: "share", Type: snapshots.Decimal1}}, nil); !errors.Is(err, ErrSchema) {
		t.Errorf("a decimal: %v", err)
	}
	if _, err := CreateScratch[staged](path, stagedColumns()[1:], nil); !errors.Is(err, ErrSchema) {
		t.Errorf("a field without a column: %v", err)
	}
	if err := writeScratch(filepath.Join(path, "none", "such"), stagedColumns(), nil, stagedRows(1)); err == nil {
		t.Error("there is no such folder")
	}
	w, err := CreateScratch[staged](path, stagedColumns(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if w.Append(staged{}) == nil {
		t.Error("a row was appended to a closed file")
	}
}

// TestScratchNoticesAFullDisk writes to a file that is closed under the writer.
func TestScratchNoticesAFullDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "scratch.parquet")
	w, err := CreateScratch[staged](path, stagedColumns(), nil)
	if err != nil {
		t.Fatal(err)
	}
	w.sink.file.file.Close()
	if err := w.Append(stagedRows(1)[0]); err != nil {
		t.Fatal(err)
	}
	if w.Close() == nil {
		t.Error("nothing could be written, and nothing was said")
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("the file without a footer is still there")
	}
}

func BenchmarkScratch(b *testing.B) {
	rows, path := stagedRows(100_000), filepath.Join(b.TempDir(), "scratch.parquet")
	b.ReportAllocs()
	for b.Loop() {
		if err := writeScratch(path, stagedColumns(), []string{"id"}, rows); err != nil {
			b.Fatal(err)
		}
	}
}
