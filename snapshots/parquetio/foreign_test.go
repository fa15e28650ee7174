package parquetio

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/pqarrow"

	"labour/snapshots"
)

// foreign writes a Parquet file with no rows and one column of a type that tables do not have.
func foreign(t *testing.T, of arrow.DataType) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "foreign.parquet")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	schema := arrow.NewSchema([]arrow.Field{{Name: "c", Type: of, Nullable: true}}, nil)
	w, err := pqarrow.NewFileWriter(schema, f, parquet.NewWriterProperties(), pqarrow.DefaultWriterProps())
	if err == nil {
		b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
		defer b.Release()
		record := b.NewRecord()
		defer record.Release()
		err = errors.Join(w.Write(record), w.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// TestForeignColumnsAreRefused: of each kind, with what is wrong, whether a column is asked for or all are.
func TestForeignColumnsAreRefused(t *testing.T) {
	pair := arrow.StructOf(arrow.Field{Name: "a", Type: arrow.PrimitiveTypes.Int32},
		arrow.Field{Name: "b", Type: arrow.PrimitiveTypes.Int32})
	for says, of := range map[string]arrow.DataType{"has nested columns": pair,
		"foreign.parquet, column c: type uint32: ": arrow.PrimitiveTypes.Uint32,
		"column c: type list<":                     arrow.ListOf(arrow.PrimitiveTypes.Int32)} {
		path := foreign(t, of)
		about, err := ReadFooter(path)
		if !errors.Is(err, ErrSchema) || !strings.Contains(err.Error(), says) || len(about.Columns) > 0 {
			t.Errorf("the footer: %+v, %v; want %q", about, err, says)
		}
		if rows, err := ReadAll[struct {
			C int32 `col:"c"`
		}](path); !errors.Is(err, ErrSchema) || !strings.Contains(err.Error(), says) {
			t.Errorf("the rows: %v, %v; want %q", rows, err, says)
		}
	}
}

// TestSchemasOfFilesAreChecked before anything is written.
func TestSchemasOfFilesAreChecked(t *testing.T) {
	dir := t.TempDir()
	column := func(name string, of snapshots.Type) snapshots.Column { return snapshots.Column{Name: name, Type: of} }
	for says, columns := range map[string][]snapshots.Column{
		`column a: column type "blob": `: {column("a", "blob")},
		"column a is there twice: ": {column("a", snapshots.TypeText), column("b", snapshots.TypeText),
			column("a", snapshots.TypeInt8)},
	} {
		path := filepath.Join(dir, "x.parquet")
		s, err := createSink(path, columns, nil, 0)
		if s != nil || !errors.Is(err, ErrSchema) || !strings.HasPrefix(err.Error(), "create "+path+": "+says) {
			t.Errorf("%v, want %q", err, says)
		}
		if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: there is a file, %v", says, err)
		}
	}
	src := filepath.Join(dir, "src.parquet")
	writeRows(t, src, []snapshots.Column{column("text", snapshots.TypeText)}, nil, []texts{{"x"}})
	table := snapshots.Table{Name: "t", Columns: []snapshots.Column{column("text", snapshots.TypeText)}}
	if rows, err := ImportTable(filepath.Join(dir, "none", "x"), table, nil, time.Now(), src); rows != 0 ||
		!errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(err.Error(), "create: ") {
		t.Errorf("a table in a folder that is not there: %d rows, %v", rows, err)
	}
}
