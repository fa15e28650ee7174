package parquetio_test

import (
	"testing"

	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/metadata"

	"labour/snapshots"
	"labour/snapshots/snaptest"
)

// TestFootersShowNoSmallNumber reads the statistics that a released file has in
// its footer, where a hidden value would live even if its row said null.
func TestFootersShowNoSmallNumber(t *testing.T) {
	const day = "2026-11-20"
	root := t.TempDir()
	id := snaptest.Build(t, root, day, snaptest.Default(t, day))
	store, err := snapshots.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	looked := 0
	for _, table := range snapshots.Tables() {
		for _, p := range table.PeopleColumns() {
			path := snapshots.Within(store.Dir(id), snapshots.TableFileName(table.Name))
			looked += smallInFooter(t, path, p.Value)
		}
	}
	if looked != 5 { // one row group each
		t.Errorf("%d column chunks have statistics", looked)
	}
}

// smallInFooter reports a minimum or maximum from 1 to 4, and gives the number
// of column chunks that have statistics.
func smallInFooter(t *testing.T, path, column string) int {
	t.Helper()
	in, err := file.OpenParquetFile(path, false)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	looked, at := 0, in.MetaData().Schema.ColumnIndexByName(column)
	for g := range in.NumRowGroups() {
		chunk, err := in.MetaData().RowGroup(g).ColumnChunk(at)
		if err != nil {
			t.Fatal(err)
		}
		stats, err := chunk.Statistics()
		if err != nil || stats == nil || !stats.HasMinMax() {
			continue
		}
		looked++
		for _, v := range bounds(t, stats) {
			if v < 0 || v > 0 && v < 5 {
				t.Errorf("%s: the footer shows %d for %s", path, v, column)
			}
		}
	}
	return looked
}

func bounds(t *testing.T, stats metadata.TypedStatistics) []int64 {
	t.Helper()
	switch s := stats.(type) {
	case *metadata.Int32Statistics:
		return []int64{int64(s.Min()), int64(s.Max())}
	case *metadata.Int64Statistics:
		return []int64{s.Min(), s.Max()}
	}
	t.Fatalf("statistics of type %T", stats)
	return nil
}
