package parquettest_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/pqarrow"

	"labour/snapshots"
	"labour/snapshots/parquetio/parquettest"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

// TestReleasedFilesTellNothingThatNoRowShows reads every place of the released
// files in which a count of people could stand: the statistics in the footer and in
// the headers of pages, the dictionaries, and what belongs to no page at all.
func TestReleasedFilesTellNothingThatNoRowShows(t *testing.T) {
	const day = "2026-11-20"
	root := t.TempDir()
	id := snaptest.BuildSnapshot(t, root, day, snaptest.DefaultContent(t, day))
	store, err := store.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	looked := 0
	for _, table := range snapshots.Tables() {
		for _, p := range table.PeopleColumns() {
			c, err := parquettest.Inspect(snapshots.JoinPath(store.SnapshotDir(id), snapshots.TableFileName(table.Name)),
				p.Value)
			if err != nil {
				t.Fatal(err)
			}
			looked += len(c.MinMaxValues)
			small := slices.ContainsFunc(slices.Concat(c.RowValues, c.MinMaxValues, c.Dictionary),
				func(n int64) bool { return n < 0 || n > 0 && n < 5 })
			distinct := len(slices.Compact(slices.Sorted(slices.Values(c.RowValues))))
			// 0 = not counted
			counted := slices.ContainsFunc(c.DistinctCounts,
				func(n int64) bool { return n != 0 && n != int64(distinct) })
			if small || counted || len(c.ValuesNotInRows()) > 0 || c.HasIndexes || c.UnaccountedBytes != 0 {
				t.Errorf("%s, %s: %+v", table.Name, p.Value, c)
			}
		}
	}
	if looked < 10 { // five columns with statistics
		t.Errorf("only %d bounds were there to look at", looked)
	}
}

// TestInspectFindsWhatARowHides on a file whose dictionary holds the value of a row
// that shows null, as writers of dictionary columns leave it, and on one with bytes
// that nothing points to.
func TestInspectFindsWhatARowHides(t *testing.T) {
	file := filepath.Join(t.TempDir(), "hidden.parquet")
	kind := &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.PrimitiveTypes.Int32}
	values := array.NewInt32Builder(memory.DefaultAllocator)
	values.AppendValues([]int32{12, 3, 40}, nil)
	rows := array.NewInt8Builder(memory.DefaultAllocator)
	rows.AppendValues([]int8{0, 1, 2, 0}, []bool{true, false, true, true}) // 3 is null
	schema := arrow.NewSchema([]arrow.Field{{Name: "n", Type: kind, Nullable: true}}, nil)
	out, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	w, err := pqarrow.NewFileWriter(schema, out, parquet.NewWriterProperties(parquet.WithDictionaryDefault(true)),
		pqarrow.DefaultWriterProps())
	if err != nil {
		t.Fatal(err)
	}
	column := array.NewDictionaryArray(kind, rows.NewArray(), values.NewArray())
	if err := w.Write(array.NewRecord(schema, []arrow.Array{column}, 4)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	found, err := parquettest.Inspect(file, "n")
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(found.ValuesNotInRows(), 3) || !slices.Equal(found.RowValues, []int64{12, 40, 12}) ||
		found.UnaccountedBytes != 0 {
		t.Errorf("a hidden 3 in the dictionary is not found: %+v", found)
	}
	if _, err := parquettest.Inspect(file, "m"); err == nil {
		t.Error("an unknown column is no error")
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	at := len(b) - 8 - int(b[len(b)-8]) - int(b[len(b)-7])<<8 // where the footer begins
	if err := os.WriteFile(file, slices.Concat(b[:at], []byte("three"), b[at:]), 0o600); err != nil {
		t.Fatal(err)
	}
	if found, err = parquettest.Inspect(file, "n"); err != nil || found.UnaccountedBytes != 5 {
		t.Errorf("%d bytes that nothing points to are found, want 5; %v", found.UnaccountedBytes, err)
	}
}
